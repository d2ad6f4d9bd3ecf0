import { DEFAULT_LIMITS, type TableLimits } from '#spreadsheets/table_source'
import { sniff } from '#spreadsheets/reading/file_kind'
import { unpackPart } from '#spreadsheets/reading/zip_archive'
import { readZipDirectory } from '#spreadsheets/reading/zip_archive'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface UnpackedFile {
  path: string
  /** Its name in the archive; for messages only, never for a path. */
  name: string
}

export interface UnpackOptions {
  limits: Partial<TableLimits>
  /** The entry by which our archives are recognised; it is not unpacked. */
  marker: string
  isWanted: (name: string) => boolean
  signal?: AbortSignal
}

/**
 * Unpacks the wanted files of an archive into the directory, numbered; null for a file that is no archive with the marker.
 * Throws `UnreadableTable` for zip bombs and broken archives.
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
    await pipeline(unpackPart(path, entry), createWriteStream(file.path, { mode: 0o600 }), {
      signal,
    })
    files.push(file)
  }
  return files
}
