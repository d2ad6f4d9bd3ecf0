import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLineOf, identify, isAlive } from './process_identity.ts'

const FAST_SHUTDOWN_MS = 30_000

/**
 * A server that an earlier start left on this data directory is shut down; a `postmaster.pid`
 * that points at nobody, or at a stranger who got the id since, is removed.
 */
export async function stopAbandonedPostgres(data: string) {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) {
    return
  }
  const server = identify(Number.parseInt(readFileSync(file, 'utf8')))
  if (!server || !commandLineOf(server.pid).includes(data)) {
    rmSync(file, { force: true })
    return
  }
  process.kill(server.pid, 'SIGINT')
  const deadline = Date.now() + FAST_SHUTDOWN_MS
  while (isAlive(server)) {
    if (Date.now() > deadline) {
      process.kill(server.pid, 'SIGQUIT')
      return
    }
    await delay(50)
  }
}
