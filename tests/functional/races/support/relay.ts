import { sleep } from './crowd.js'
import { count, rows } from './sql.js'

/** Until a worker's relay has seen all that is committed now. */
export async function relayHasPassed() {
  const [{ next }] = await rows('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next')
  const passed = () =>
    count('SELECT count(*) FROM webhook_relay WHERE pg_snapshot_xmin(seen) >= $1::xid8', [next])
  while ((await passed()) === 0) await sleep(50)
}
