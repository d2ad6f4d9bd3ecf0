import { setTimeout as delay } from 'node:timers/promises'
import { say } from './output.ts'
import { ownerOf, stopLeftovers } from './process_records.ts'
import { StartUpError } from './start_up_error.ts'

const STOPPING_WITHIN_MS = 60_000

/** Refuses while another start runs over this directory; stops what a killed one left running. */
export async function takeOver(directory: string) {
  await untilStopped(directory)
  const owner = ownerOf(directory)
  if (owner) {
    throw new StartUpError(`This is already running here (process ${owner.pid}): stop it first.`)
  }
  for (const name of await stopLeftovers(directory)) {
    say(`Stopped ${name}, left behind by an earlier start`)
  }
}

async function untilStopped(directory: string) {
  const isStopping = () => ownerOf(directory)?.isStopping
  if (!isStopping()) {
    return
  }
  say('Waiting for the earlier start to finish stopping')
  const deadline = Date.now() + STOPPING_WITHIN_MS
  while (isStopping() && Date.now() < deadline) {
    await delay(100)
  }
}
