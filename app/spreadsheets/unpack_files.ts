import { DEFAULT_LIMITS, type TableLimits } from '#spreadsheets/table_source'
import { sniff } from '#spreadsheets/reading/file_kind'
import { inflate } from '#spreadsheets/reading/inflate'
import { readZipDirectory } from '#spreadsheets/reading/zip_directory'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface UnpackedFile {
  path: string
  /** As the archive calls it; only ever told. */
  name: string
}

export interface UnpackOptions {
  limits: Partial<TableLimits>
  /** Whose files an archive holds is told by this one, which stays packed. */
  marker: string
  isWanted: (name: string) => boolean
  signal?: AbortSignal
}

/**
 * Files of an archive, each put into the directory under a number; null for what is no archive with the marker in it.
 * Throws `UnreadableTable` for bombs and for what is broken.
 */
export async function unpackFiles(
  path: string,
  directory: string,
  { limits, marker, isWanted, signal }: UnpackOptions
): Promise<UnpackedFile[] | null> {
  const caps = { ...DEFAULT_LIMITS, ...limits }
  if ((await sniff(path, caps.bytes)) !== 'zip') return null
  const entries = await readZipDirectory(path, caps)
  if (!entries.has(marker)) return null
  const files: UnpackedFile[] = []
  for (const [name, entry] of entries) {
    if (!isWanted(name)) continue
    const file = { name, path: join(directory, String(files.length)) }
    await pipeline(inflate(path, entry), createWriteStream(file.path, { mode: 0o600 }), { signal })
    files.push(file)
  }
  return files
}
