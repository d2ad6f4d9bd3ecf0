import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

/** Its packages were those of today, or near enough to run: whoever runs it would notice. */
export const LAST_RELEASE = {
  version: '0.2.0',
  commit: '678fda2eb879ddac0f9daad6abdcbc9c584225c4',
}
/** Arguments of Node that start a web process from its sources. */
export const RUN_SOURCES = ['--import=@poppinss/ts-exec', 'bin/server.ts']

/** Returns the folder that it is unpacked to. */
export function unpackLastRelease(directory: string) {
  const release = join(directory, 'release')
  mkdirSync(release)
  const archive = execFileSync('git', ['archive', LAST_RELEASE.commit], {
    cwd: root,
    maxBuffer: 200_000_000,
  })
  execFileSync('tar', ['-x', '-C', release], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(release, 'node_modules'))
  return release
}
