import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Group } from '@japa/runner/core'

/** A directory of its own for each test of the group, gone after it. */
export function scratchDirectory(group: Group) {
  let directory = ''
  group.each.setup(async () => {
    directory = await mkdtemp(join(tmpdir(), 'scratch-'))
    return () => rm(directory, { recursive: true, force: true })
  })
  return {
    get path() {
      return directory
    },
    at: (name: string) => join(directory, name),
    async write(name: string, content: string | Buffer) {
      await writeFile(join(directory, name), content)
      return join(directory, name)
    },
  }
}
