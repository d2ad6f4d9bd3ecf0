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

/** Buyers who buy, and some who let their holds expire, until `cleanup`. */
export function startLoad(
  site: Site,
  cleanup: AsyncDisposableStack,
  options: Parameters<Buyers['startBuying']>[1] = {}
): Buyers {
  const buyers = new Buyers(addressesOf(site))
  for (let n = 0; n < BUYERS; n++) buyers.startBuying(site.buyer, options)
  for (let n = 0; n < HOLDERS; n++) buyers.startHolding(site.holder, HOLDER_PAUSE_MS)
  cleanup.defer(() => buyers.abandon())
  return buyers
}
