import { aReceiver } from '../../../tests/support/receiver.ts'
import { Supervisor } from '../../supervisor.ts'
import { Buyers } from './buyers.ts'
import type { Parties } from './parties.ts'

const BUYERS = 6
const HOLDERS = 2
const HOLDER_PAUSE_MS = 250

/** What a drill of one machine stands on: processes, and a partner's server for webhooks. All are gone after `cleanup`. */
export async function layGround(directory: string, cleanup: AsyncDisposableStack) {
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => supervisor.stop())
  const receiver = await aReceiver()
  cleanup.defer(() => receiver.close())
  return { supervisor, receiver }
}

interface LoadOptions {
  /** Whether buyers refund what they bought when seats are taken. */
  givesBack?: boolean
  /** Where requests are sent, and whose certificate is trusted. */
  servers: string[]
  ca?: string
}

/** Buyers who buy, and some who let their holds expire, until `cleanup`. */
export function startLoad(
  { buyer, holder }: Parties,
  cleanup: AsyncDisposableStack,
  { givesBack, servers, ca }: LoadOptions
): Buyers {
  const buyers = new Buyers(servers, { ca })
  for (let n = 0; n < BUYERS; n++) buyers.startBuying(buyer, { givesBack })
  for (let n = 0; n < HOLDERS; n++) buyers.startHolding(holder, HOLDER_PAUSE_MS)
  cleanup.defer(() => buyers.abandon())
  return buyers
}
