import { refuse } from '#shared/refusals'
import { storageDirectory } from '#shared/storage'
import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** An uploaded file that a run will read. */
export interface Upload {
  upload: string
  /** The sender's name for it; only displayed, never a path. */
  fileName: string
}

/** Takes the archive of workbooks of a month with a million tickets, so that whatever we wrote can be sent back. */
export const MAX_UPLOAD_BYTES = 250_000_000
const UPLOAD = /^[0-9a-f-]{36}$/

export async function newUpload() {
  const upload = randomUUID()
  return { upload, path: join(await storageDirectory('uploads'), upload) }
}

/** The file's path; refuses NO_SUCH after it was pruned. */
export async function uploadPath({ upload }: Upload): Promise<string> {
  if (!UPLOAD.test(upload)) refuse('NO_SUCH', { what: 'file' })
  const path = join(await storageDirectory('uploads'), upload)
  await access(path).catch(() => refuse('NO_SUCH', { what: 'file' }))
  return path
}
