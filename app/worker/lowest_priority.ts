import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const LOWEST = constants.priority.PRIORITY_LOW
const TASKS = '/proc/self/task'
/** Exists where Linux schedules by session first (autogroup). */
const OF_SESSION = '/proc/self/autogroup'

/**
 * Gives this process the lowest CPU priority; the session's priority only when it is the session's leader. Between containers
 * their own weights decide. Throws where a sandbox forbids it.
 */
export function takeLowestPriority(): void {
  for (const thread of threads()) setPriority(thread, LOWEST)
  if (existsSync(OF_SESSION) && isSessionLeader()) writeFileSync(OF_SESSION, String(LOWEST))
}

/** On Linux each thread has its own priority, also the ones that compress files. */
const threads = () => (existsSync(TASKS) ? readdirSync(TASKS).map(Number) : [process.pid])

/** proc_pid_stat(5): the session is the fourth after the name, which may hold anything. */
function isSessionLeader() {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(session) === process.pid
}
