import { refuse } from '#shared/refusals'
import { storageDirectory } from '#shared/storage'
import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that somebody sent, for a run to read. */
export interface Upload {
  upload: string
  /** As its sender calls it; only ever shown. */
  fileName: string
}

/** Of a workbook, or of all those of a month of a million tickets: what we have written can be sent back. */
export const MAX_UPLOAD_BYTES = 250_000_000
const UPLOAD = /^[0-9a-f-]{36}$/

export async function newUpload() {
  const upload = randomUUID()
  return { upload, path: join(await storageDirectory('uploads'), upload) }
}

/** Where it lies; refuses NO_SUCH once it was thrown away. */
export async function uploadPath({ upload }: Upload): Promise<string> {
  if (!UPLOAD.test(upload)) refuse('NO_SUCH', { what: 'file' })
  const path = join(await storageDirectory('uploads'), upload)
  await access(path).catch(() => refuse('NO_SUCH', { what: 'file' }))
  return path
}
