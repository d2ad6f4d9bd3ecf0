import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ace } from '../application.ts'
import { root } from '../paths.ts'
import type { Supervisor } from '../supervisor.ts'

export const BUILD = join(root, 'build')
const SOURCES = ['app/**', 'config/**', 'database/**', 'providers/**', 'start/**', 'resources/**']

/** Types are the type check's concern. Builds the product as a deployment runs it, if a source is newer than the last build. */
export async function buildIfStale(supervisor: Supervisor) {
  const entry = join(BUILD, 'bin/server.js')
  const builtAt = existsSync(entry) ? statSync(entry).mtimeMs : 0
  const isStale = globSync(SOURCES, { cwd: root }).some(
    (path) => statSync(join(root, path)).mtimeMs > builtAt
  )
  if (isStale) await supervisor.run(ace('build', ['build', '--ignore-ts-errors'], process.env))
}
