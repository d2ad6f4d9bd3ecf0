import pg from 'pg'

/** As config/database.ts has it. */
const SESSION =
  '-c timezone=UTC -c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off'
const ROUNDS = 300
const WARM_UP = 20

interface Measured {
  name: string
  sql: string
  params: (sample: Sample, turn: number) => unknown[]
}

interface Sample {
  /** How many orders the database has. */
  orders: number
  /** Those of the orders. */
  partners: number[]
  attempts: { id: string; received_at: string }[]
}

const orderOf = ({ orders }: Sample, turn: number) => 1 + ((turn * 7919) % orders)
const orderId = (k: number) => `TIX-2025-${String(k).padStart(8, '0')}`
const bookingId = (k: number) => `bkg_${String(k).padStart(26, '0')}`

const ENTRY = `INSERT INTO journal (name, actor_kind, actor, partner_id, order_id) VALUES ('order_placed', 'partner', 'bench1', (SELECT id FROM partners WHERE code = 'bench1'), $1)`
const ATTEMPT = `INSERT INTO confirm_attempts (partner_id, order_id_sent, request_id, received_at, signature_valid)
  SELECT id, $1, gen_random_uuid(), now(), true FROM partners LIMIT 1`

/** What sales, lists and searches ask of the partitioned tables; the statements of `app/`, without columns that cost the same. */
const MEASURED: Measured[] = [
  {
    name: 'sale: an entry of the journal',
    sql: ENTRY,
    params: (sample, turn) => [orderId(orderOf(sample, turn))],
  },
  {
    name: 'sale: the answer to an attempt',
    sql: 'UPDATE confirm_attempts SET answered_at = answered_at WHERE id = $1 AND received_at = $2',
    params: ({ attempts }, turn) => {
      const { id, received_at: receivedAt } = attempts[turn % attempts.length]
      return [id, receivedAt]
    },
  },
  {
    name: 'sale: an attempt',
    sql: ATTEMPT,
    params: (sample, turn) => [orderId(orderOf(sample, turn))],
  },
  {
    name: 'relay: news since the last turn',
    sql: `SELECT id, at, name FROM journal WHERE name IN ('booking_expired', 'event_status_changed', 'event_rescheduled', 'event_edited',
            'event_prices_set', 'event_cancelled', 'grant_given', 'grant_revoked') AND id > $1
            AND change_xid >= pg_snapshot_xmin(pg_current_snapshot())`,
    params: () => [0],
  },
  {
    name: 'list: the newest 51 of the journal',
    sql: `SELECT * FROM (SELECT * FROM journal WHERE $1::int = 1 ORDER BY id DESC LIMIT 50000) looked_at ORDER BY id DESC LIMIT 51`,
    params: () => [1],
  },
  {
    name: 'list: the newest 51 of a partner',
    sql: `SELECT * FROM (SELECT * FROM journal WHERE partner_id >= $1 AND partner_id <= $1 ORDER BY partner_id DESC, id DESC LIMIT 5000) looked_at
           ORDER BY partner_id DESC, id DESC LIMIT 51`,
    params: ({ partners }, turn) => [partners[turn % partners.length]],
  },
  {
    name: 'search: an order in the journal',
    sql: `SELECT * FROM journal WHERE order_id >= $1 AND order_id <= $1 ORDER BY order_id DESC, id DESC LIMIT 51`,
    params: (sample, turn) => [orderId(orderOf(sample, turn))],
  },
  {
    name: 'search: a request id',
    sql: `SELECT order_id FROM journal WHERE request_id = md5($1::text || 'order_placed')::uuid AND order_id IS NOT NULL LIMIT 20`,
    params: (sample, turn) => [orderId(orderOf(sample, turn))],
  },
  {
    name: 'search: a payment of refused attempts',
    sql: `SELECT order_id_sent FROM confirm_attempts WHERE external_payment_id = $1 AND http_status <> 200 LIMIT 20`,
    params: (sample, turn) => [`pay-${orderOf(sample, turn)}`],
  },
  {
    name: 'page: what happened to an order',
    sql: `SELECT at, name FROM journal WHERE order_id = $1
           UNION ALL SELECT at, name FROM journal WHERE booking_id = $2 AND order_id IS NULL
           UNION ALL SELECT received_at, code FROM confirm_attempts WHERE order_id_sent = $1 ORDER BY 1`,
    params: (sample, turn) => [orderId(orderOf(sample, turn)), bookingId(orderOf(sample, turn))],
  },
  {
    name: 'page: confirms of a partner in seven days',
    sql: `SELECT count(*) FROM confirm_attempts WHERE partner_id = $1 AND received_at > now() - interval '7 days' AND http_status <> 200`,
    params: ({ partners }, turn) => [partners[turn % partners.length]],
  },
  {
    name: 'filter by day: one step of the search for an id',
    sql: `SELECT id, at FROM journal WHERE id >= $1 ORDER BY id LIMIT 1`,
    params: (sample, turn) => [orderOf(sample, turn) * 5],
  },
]

interface Site {
  url: string
  orders: number
}

export interface Figure {
  name: string
  smallUs: number
  largeUs: number
  smallBuffers: number
  largeBuffers: number
}

/** Each statement by turns in both databases, prepared, in a transaction that is undone: the median of its time, and its buffers. */
export async function measureMonths(small: Site, large: Site): Promise<Figure[]> {
  const sites = [small, large]
  const clients = sites.map(({ url }) => new pg.Client({ connectionString: url, options: SESSION }))
  await Promise.all(clients.map((client) => client.connect()))
  try {
    const figures: Figure[] = []
    const samples = await Promise.all(
      clients.map(async (client, index) => {
        const { rows } = await client.query<Sample['attempts'][number]>(
          'SELECT id::text, received_at::text FROM confirm_attempts ORDER BY id DESC LIMIT 1000'
        )
        const partners = await client.query<{ id: number }>(
          `SELECT id FROM partners WHERE code LIKE 'bench%' ORDER BY id`
        )
        const ids = partners.rows.map(({ id }) => id)
        return { orders: sites[index].orders, partners: ids, attempts: rows }
      })
    )
    for (const [place, measured] of MEASURED.entries()) {
      const times: number[][] = [[], []]
      for (const client of clients) await client.query('BEGIN')
      for (let turn = 0; turn < ROUNDS + WARM_UP; turn++)
        for (const [index, client] of clients.entries()) {
          const values = measured.params(samples[index], turn)
          const began = process.hrtime.bigint()
          await client.query({ name: `measured_${place}`, text: measured.sql, values })
          if (turn >= WARM_UP) times[index].push(Number(process.hrtime.bigint() - began) / 1000)
        }
      const buffers = []
      for (const [index, client] of clients.entries())
        buffers.push(await buffersOf(client, measured, samples[index]))
      for (const client of clients) await client.query('ROLLBACK')
      figures.push({
        name: measured.name,
        smallUs: median(times[0]),
        largeUs: median(times[1]),
        smallBuffers: buffers[0],
        largeBuffers: buffers[1],
      })
    }
    return figures
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]

interface Explained {
  'QUERY PLAN': [{ Plan: Record<string, number> }]
}

/** Pages of PostgreSQL's cache that one execution reads. */
async function buffersOf(client: pg.Client, { sql, params }: Measured, sample: Sample) {
  const text = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`
  const { rows } = await client.query<Explained>(text, params(sample, ROUNDS))
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
