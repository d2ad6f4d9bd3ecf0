import platform from '#config/platform'
import noteHighWater from '#restores/high_water'
import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

const RETRY_MS = 2_000
/** A process starts without an answer of PostgreSQL after this time. */
const WAIT_MS = 3_000

/**
 * Before a process serves: looks whether the database was restored, and records that the process is quiet. Without PostgreSQL it
 * is done as soon as that answers.
 */
export async function noteStart(name: 'web' | 'worker'): Promise<void> {
  if (platform.isQuiet) logger.warn('QUIET: nothing is delivered or mailed')
  const first = tryToNote(name)
  const isDone = await Promise.race([first, delay(WAIT_MS, false, { ref: false })])
  if (!isDone) void retryAfter(first, name)
}

async function retryAfter(attempt: Promise<boolean>, name: string): Promise<void> {
  if (await attempt) return
  // Only a process that is kept alive by its work tries again.
  await delay(RETRY_MS, undefined, { ref: false })
  return retryAfter(tryToNote(name), name)
}

async function tryToNote(name: string): Promise<boolean> {
  try {
    await noteHighWater()
    if (platform.isQuiet) await recordQuietStart(name)
    return true
  } catch {
    // PostgreSQL is away or not migrated yet, which /health/ready reports.
    return false
  }
}

const recordQuietStart = (name: string) =>
  transaction((trx) =>
    record('quiet_mode_started', { process: name, host: hostname() }, { actor: CLOCK }, trx)
  )
