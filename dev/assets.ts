import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './output.ts'
import { root } from './paths.ts'
import type { Supervisor } from './supervisor.ts'

const SOURCES = ['resources/**', 'vite.config.ts', 'config/vite.ts', 'package-lock.json']
const BUILT = 'public/assets/.vite/manifest.json'

/** Tests meet the pages as they are deployed: bundled, compressed, under the strict policy. Builds them when they have changed. */
export async function buildAssets(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  if (isBuilt()) return
  say('Building the pages')
  await supervisor.run({
    name: 'pages',
    command: process.execPath,
    args: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
    output: 'lines',
  })
}

function isBuilt() {
  if (!existsSync(join(root, BUILT))) return false
  const { mtimeMs } = statSync(join(root, BUILT))
  // A folder tells of files that were removed.
  return globSync(SOURCES, { cwd: root }).every((path) => changedAt(path) < mtimeMs)
}

const changedAt = (path: string) => statSync(join(root, path)).mtimeMs
