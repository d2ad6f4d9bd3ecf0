import { aReceiver } from '../../../tests/support/receiver.ts'
import { Supervisor } from '../../supervisor.ts'
import { addressesOf, type Site } from '../site.ts'
import { Buyers } from './buyers.ts'

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
  /** Where requests are sent, if not to the web processes. */
  servers?: { urls: string[]; ca?: string }
}

/** Buyers who buy, and some who let their holds expire, until `cleanup`. */
export function startLoad(
  site: Site,
  cleanup: AsyncDisposableStack,
  { givesBack, servers = { urls: addressesOf(site) } }: LoadOptions = {}
): Buyers {
  const buyers = new Buyers(servers.urls, { ca: servers.ca })
  for (let n = 0; n < BUYERS; n++) buyers.startBuying(site.buyer, { givesBack })
  for (let n = 0; n < HOLDERS; n++) buyers.startHolding(site.holder, HOLDER_PAUSE_MS)
  cleanup.defer(() => buyers.abandon())
  return buyers
}
