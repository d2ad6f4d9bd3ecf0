import { refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

type Limits<Name extends string> = Record<Name, number>

/**
 * Reads text files of a form, each up to its limit in bytes; the form's other fields are in the request afterwards.
 * Nothing is written to disk. Other routes accept no files.
 */
export async function readTextFiles<Name extends string>(
  { request }: HttpContext,
  limits: Limits<Name>
): Promise<Record<Name, string>> {
  const found = new Map<string, Buffer[]>()
  const tooLarge = new Set<string>()
  if (request.bodyType === 'multipart') {
    request.multipart.onFile('*', {}, async (part) => {
      const limit = part.name in limits ? limits[part.name as Name] : 0
      const chunks: Buffer[] = []
      let size = 0
      // A file over its limit is read to the end and dropped, because a browser reads no response before it has sent everything.
      for await (const chunk of part as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size <= limit) chunks.push(chunk)
      }
      if (size > limit) tooLarge.add(part.name)
      else if (size > 0) found.set(part.name, chunks)
    })
    await request.multipart.process()
  }
  const names = Object.keys(limits) as Name[]
  const texts = names.map((name) => {
    if (tooLarge.has(name)) refuseField(name, 'size', 'uploads.too_large')
    const chunks = found.get(name) ?? refuseField(name, 'required', 'uploads.choose_file')
    return [name, decode(name, Buffer.concat(chunks))]
  })
  return Object.fromEntries(texts) as Record<Name, string>
}

/** An uploaded file: its path on disk and its original name. */
export interface ReceivedFile {
  path: string
  name: string
}

/** Stores one file of a form, up to a limit in bytes, at `pathFor`; the form's other fields are in the request afterwards. */
export async function receiveFile(
  { request }: HttpContext,
  name: string,
  limit: number,
  pathFor: () => Promise<string>
): Promise<ReceivedFile> {
  let file: (ReceivedFile & { size: number; isWhole: boolean }) | undefined
  if (request.bodyType === 'multipart') {
    request.multipart.onFile(name, {}, async (part) => {
      if (file) return void part.resume()
      file = { path: await pathFor(), name: part.filename, size: 0, isWhole: false }
      await pipeline(countBytes(part, file, limit), createWriteStream(file.path, { mode: 0o600 }))
      file.isWhole = true
    })
    // After a broken connection a part of the file is left.
    await request.multipart.process().catch(async (error: unknown) => {
      if (file) await rm(file.path, { force: true })
      throw error
    })
  }
  if (!file) return refuseField(name, 'required', 'uploads.choose_file')
  const { size, isWhole } = file
  if (isWhole && size > 0 && size <= limit) return file
  await rm(file.path, { force: true })
  if (!isWhole) throw new Error(`${file.path} could not be written to its end`)
  return size === 0
    ? refuseField(name, 'required', 'uploads.empty')
    : refuseField(name, 'size', 'uploads.too_large')
}

/** A file over its limit is read to the end and dropped, because a browser reads no response before it has sent everything. */
async function* countBytes(part: AsyncIterable<Buffer>, file: { size: number }, limit: number) {
  for await (const chunk of part) {
    file.size += chunk.length
    if (file.size <= limit) yield chunk
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(name: string, bytes: Buffer) {
  try {
    return decoder.decode(bytes)
  } catch {
    return refuseField(name, 'encoding', 'uploads.not_utf8')
  }
}
