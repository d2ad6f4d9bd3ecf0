import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export type ProcessIdentity = { pid: number; bornAt: string }

/** The start time beside the id tells a process from a later one that was given the same id. */
export function identify(pid: number): ProcessIdentity | undefined {
  const bornAt = process.platform === 'linux' ? readBirthFromProc(pid) : ps(pid, 'lstart=')
  return bornAt ? { pid, bornAt } : undefined
}

export function isAlive(identity: ProcessIdentity) {
  return identify(identity.pid)?.bornAt === identity.bornAt
}

export function commandLineOf(pid: number) {
  if (process.platform !== 'linux') {
    return ps(pid, 'command=') ?? ''
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function readBirthFromProc(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may itself hold spaces and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

function ps(pid: number, column: string) {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
