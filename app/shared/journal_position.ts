import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const ends = statement<{ first: bigint | null; last: bigint | null }>(
  'journal_ends',
  'SELECT (SELECT min(id) FROM journal) AS "first", (SELECT max(id) FROM journal) AS "last"'
)
const entryFrom = statement<{ id: bigint; at: Date }, { middle: bigint }>(
  'journal_entry_from',
  'SELECT id, at FROM journal WHERE id >= :middle ORDER BY id LIMIT 1'
)

/** The first id of an entry that is not before the instant, by binary search over the primary key: about twenty reads. */
export async function idAt(instant: Date, client?: QueryClientContract): Promise<bigint> {
  const { first, last } = await ends.one({}, client)
  if (first === null || last === null) return 0n
  let low = first
  let high = last + 1n
  while (low < high) {
    const middle = (low + high) / 2n
    const entry = await entryFrom.first({ middle }, client)
    if (!entry || entry.at >= instant) high = middle
    else low = entry.id + 1n
  }
  return low
}
