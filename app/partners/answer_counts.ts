import { localDay } from '#shared/days'
import { statement } from '#shared/statement'

/** What of a partner's refusals is counted for ever; an empty code stands for all its requests. */
const COUNTED = ['IDEMPOTENCY_CONFLICT', 'PENDING_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED']
/** Counted in memory and written together: a request waits for nothing, and a crash loses a few seconds of a month. */
const TOGETHER_MS = 5_000

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

/** One answered request, by our day. */
export function countAnswer(partnerId: number, code: string | null | undefined, now = Date.now()) {
  const day = localDay(new Date(now))
  add(`${partnerId} ${day} `)
  if (code && COUNTED.includes(code)) add(`${partnerId} ${day} ${code}`)
  timer ??= setTimeout(() => void writeCounts().catch(() => {}), TOGETHER_MS).unref()
}

const add = (key: string, count = 1) => counts.set(key, (counts.get(key) ?? 0) + count)

/** What could not be written is kept for the next time. */
export async function writeCounts() {
  clearTimeout(timer)
  timer = undefined
  const taken = [...counts]
  counts.clear()
  if (taken.length === 0) return
  const rows = taken.map(([key, count]) => {
    const [partnerId, day, code] = key.split(' ')
    return { partner_id: Number(partnerId), day, code, count }
  })
  try {
    await addCounts({ rows: JSON.stringify(rows) })
  } catch (error) {
    for (const [key, count] of taken) add(key, count)
    throw error
  }
}
