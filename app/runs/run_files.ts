import { storageDirectory } from '#shared/storage'
import { join } from 'node:path'

/** Where an attempt at a run writes its files. */
export async function runDirectory(id: number, claim: string): Promise<string> {
  return join(await storageDirectory('runs'), `${id}-${claim}`)
}
