import { pipeline } from 'node:stream'
import { AtomicOutput, type WrittenFile } from '#spreadsheets/writing/atomic_output'
import { ZipFile } from 'yazl'

export interface PackedFile {
  path: string
  /** Its name in the archive. */
  name: string
}

/** Stores compressed files in one archive, which appears whole or not at all. */
export async function zipFiles(
  path: string,
  files: readonly PackedFile[],
  { at, signal }: { at: Date; signal?: AbortSignal }
): Promise<WrittenFile> {
  const output = new AtomicOutput(path)
  const zip = new ZipFile()
  const stop = (error: unknown) => void output.stream.destroy(error as Error)
  const onAbort = () => stop(signal?.reason)
  zip.on('error', stop)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  try {
    for (const file of files)
      zip.addFile(file.path, file.name, { mtime: at, mode: 0o100600, compress: false })
    // Failures reject the output's own promise.
    pipeline(zip.outputStream, output.stream, () => {})
    zip.end()
    return await output.keep()
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
