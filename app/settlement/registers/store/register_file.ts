import { storageDirectory } from '#shared/storage'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'

/** A register's file goes by its content: the same file of a partner lies there once. */
export async function registerPath({ partnerId, sha256 }: { partnerId: number; sha256: string }) {
  return join(await storageDirectory('registers'), `${partnerId}-${sha256}`)
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
