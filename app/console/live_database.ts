import pg from 'pg'

const WAIT_MS = 5_000
/** There is no such server, database or table: nothing live can be lost there. */
const NOTHING_THERE = ['ECONNREFUSED', 'ENOTFOUND', '3D000', '42P01']

/** Only a live deployment issues such keys; revoked ones stay in the table. */
const HAS_LIVE_KEYS = `SELECT EXISTS (SELECT FROM partner_keys WHERE starts_with(api_key, 'pk_live_')) AS "isLive"`

/** Whether the database at this address belongs to a live deployment. Throws when it is there and can't be asked. */
export async function isLiveDatabase(address: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: WAIT_MS,
    query_timeout: WAIT_MS,
  })
  // A connection that is lost later must not end the process: the query fails then.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ isLive: boolean }>(HAS_LIVE_KEYS)
    return rows[0].isLive
  } catch (error) {
    if (NOTHING_THERE.includes((error as { code?: string }).code ?? '')) return false
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}
