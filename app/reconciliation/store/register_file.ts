import { refuse } from '#shared/refusals'
import { storable } from '#shared/storable'
import { storageDirectory } from '#shared/storage'
import { UnreadableTable } from '#spreadsheets/unreadable_table'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** The file of a register or of a part. Each register has its own copy, so that dropping one keeps the others. */
export async function registerPath({ id, sha256 }: { id: number; sha256: string }) {
  return join(await storageDirectory('registers'), `${id}-${sha256}`)
}

/** The path of a file that exists; throws `UnreadableTable` when it is gone. */
export async function storedRegisterPath(register: { id: number; sha256: string }) {
  const path = await registerPath(register)
  await access(path).catch(() => {
    throw new UnreadableTable('gone')
  })
  return path
}

export async function sha256Of(path: string) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** Refuses REGISTER_UNREADABLE with the reason and its place; any other error goes on. */
export function refuseUnreadable(error: unknown): never {
  if (!(error instanceof UnreadableTable)) throw error
  const { problem, place } = error
  const { line = null, column = null } = place
  return refuse('REGISTER_UNREADABLE', { problem, line, column })
}

const MAX_NAME_LENGTH = 200

/** A file name that is only displayed, never used as a path. */
export function nameOf(name: string) {
  const last = name.split(/[/\\]/).at(-1)!
  const plain = last.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '')
  return storable(plain.trim().slice(0, MAX_NAME_LENGTH)) || '?'
}
