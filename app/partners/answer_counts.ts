import { localDay } from '#shared/days'
import { statement } from '#shared/statement'

/** Refusals that are counted per partner and day, for ever; an empty code counts all requests. */
const COUNTED_CODES = ['IDEMPOTENCY_CONFLICT', 'PENDING_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED']
/** Counts are collected in memory, so that no request waits; a crash loses the last five seconds. */
const WRITE_EVERY_MS = 5_000

const addCounts = statement<object, { rows: string }>(
  'partner_answers_add',
  `INSERT INTO partner_answers (partner_id, day, code, count)
   SELECT partner_id, day, code, count
     FROM jsonb_to_recordset(:rows::jsonb) AS counted (partner_id integer, day date, code text, count bigint)
    ORDER BY partner_id, day, code
   ON CONFLICT (partner_id, day, code) DO UPDATE SET count = partner_answers.count + excluded.count`
)

const counts = new Map<string, number>()
let timer: NodeJS.Timeout | undefined

/** Counts one answered request on the platform's calendar day. */
export function countAnswer(partnerId: number, code: string | null | undefined, now = Date.now()) {
  const day = localDay(new Date(now))
  add(`${partnerId} ${day} `)
  if (code && COUNTED_CODES.includes(code)) add(`${partnerId} ${day} ${code}`)
  timer ??= setTimeout(() => void writeCounts().catch(() => {}), WRITE_EVERY_MS).unref()
}

const add = (key: string, count = 1) => counts.set(key, (counts.get(key) ?? 0) + count)

/** Writes the counts; after a failure they are added to the next ones. */
export async function writeCounts() {
  clearTimeout(timer)
  timer = undefined
  const collected = [...counts]
  counts.clear()
  if (collected.length === 0) return
  const rows = collected.map(([key, count]) => {
    const [partnerId, day, code] = key.split(' ')
    return { partner_id: Number(partnerId), day, code, count }
  })
  try {
    await addCounts({ rows: JSON.stringify(rows) })
  } catch (error) {
    for (const [key, count] of collected) add(key, count)
    throw error
  }
}
