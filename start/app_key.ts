import { opensStoredData } from '#partners/app_key_check'
import { StartRefused } from '#start/checks'
import { setTimeout as delay } from 'node:timers/promises'

const RETRY_MS = 2_000
/** A process starts without an answer of PostgreSQL after this time; the check then ends it later. */
const WAIT_MS = 3_000

/** Calls `refuse` when APP_KEY can't open what is stored: at once if PostgreSQL answers, else as soon as it does. */
export async function refuseOtherAppKey(refuse: (error: Error) => void): Promise<void> {
  const isDecided = await Promise.race([decide(refuse), delay(WAIT_MS, false, { ref: false })])
  if (!isDecided) setTimeout(() => refuseOtherAppKey(refuse), RETRY_MS).unref()
}

async function decide(refuse: (error: Error) => void): Promise<boolean> {
  try {
    if (!(await opensStoredData())) refuse(new StartRefused([PROBLEM]))
    return true
  } catch {
    // PostgreSQL is away or not migrated yet, which /health/ready reports.
    return false
  }
}

const PROBLEM = {
  setting: 'APP_KEY',
  message:
    'APP_KEY is another one than the data was encrypted with: partners could not be authenticated. Set the former key; it belongs to the backups',
}
