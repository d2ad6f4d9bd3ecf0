import { execFileSync, spawnSync } from 'node:child_process'
import { StartUpError } from './start_up_error.ts'
import type { Account } from './supervisor.ts'

/** PostgreSQL refuses to run as root; root runs it as the user `postgres`, created when missing. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) {
    return undefined
  }
  return findAccount('postgres') ?? createAccount('postgres')
}

/** Whether that user can reach a folder through all of its parents. */
export function canEnter({ uid, gid }: Account, folder: string) {
  const check = ['-c', 'test -r "$1" && test -x "$1"', 'sh', folder]
  return spawnSync('/bin/sh', check, { uid, gid, cwd: '/' }).status === 0
}

function findAccount(name: string): Account | undefined {
  try {
    return { uid: idOf('-u', name), gid: idOf('-g', name) }
  } catch {
    return undefined
  }
}

function createAccount(name: string) {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', name])
  const account = made.status === 0 && findAccount(name)
  if (!account) {
    throw new StartUpError(
      'PostgreSQL does not run as root, and a system user "postgres" could not be created: create one, run this as an ordinary user, or set DATABASE_URL.'
    )
  }
  return account
}

function idOf(flag: '-u' | '-g', name: string) {
  const output = execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' })
  return Number.parseInt(output)
}
