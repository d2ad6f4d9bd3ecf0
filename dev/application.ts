import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { log } from './output.ts'
import { root } from './paths.ts'
import type { ProcessSpec, Supervisor } from './supervisor.ts'

const ASSET_SOURCES = [
  '.adonisjs/client/routes.ts',
  'resources/**',
  'vite.config.ts',
  'config/vite.ts',
  'package-lock.json',
]
const ASSET_MANIFEST = 'public/assets/.vite/manifest.json'

/** A console command of the application, run by the same Node as this process. */
export function ace(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  options: Partial<ProcessSpec> = {}
): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: ['ace', ...args],
    cwd: root,
    env,
    output: 'lines',
    ...options,
  }
}

/** Starts the web process, which reloads changed code without a restart. */
export async function startWeb(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  // The watcher keeps running when its server crashes or stops.
  const onLine = (line: string, kill: () => void) => {
    if (/Underlying HTTP server (died|closed)/.test(line)) kill()
  }
  await supervisor.start(ace('web', ['serve', '--hmr', '--no-clear'], env, { onLine }))
}

/** Builds the pages if their sources have changed: tests use them as deployed, bundled and under the strict policy. */
export async function buildAssets(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  if (areAssetsFresh()) return
  log('Building the pages')
  await supervisor.run({
    name: 'pages',
    command: process.execPath,
    args: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
    output: 'lines',
  })
}

function areAssetsFresh() {
  const manifest = join(root, ASSET_MANIFEST)
  if (!existsSync(manifest)) return false
  const builtAt = statSync(manifest).mtimeMs
  // The glob includes folders, whose times change when a file is removed.
  return globSync(ASSET_SOURCES, { cwd: root }).every(
    (path) => statSync(join(root, path)).mtimeMs < builtAt
  )
}
