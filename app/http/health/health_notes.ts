import platform from '#config/platform'
import { withReserve } from '#shared/connection_places'
import { isRestoreOpen } from '#shared/selling_mark'

/**
 * What an operator must know of a process that serves all the same: it delivers nothing (QUIET), or it sells nothing until
 * `restore:finish`. The gate works then, so a load balancer must not take the process out.
 */
export async function readNotes() {
  const isRestored = await withReserve(isRestoreOpen).catch(() => false)
  return {
    quiet: platform.isQuiet || undefined,
    restore: isRestored ? 'unfinished' : undefined,
  }
}
