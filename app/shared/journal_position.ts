import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

interface Span {
  begin: Date
  end: Date
}

const endsWithin = statement<{ first: bigint | null; last: bigint | null }, Span>(
  'journal_ends_within',
  `SELECT min(id) AS "first", max(id) AS "last" FROM journal WHERE at >= :begin AND at < :end`
)
const entryFrom = statement<{ id: bigint; at: Date }, Span & { middle: bigint }>(
  'journal_entry_from',
  'SELECT id, at FROM journal WHERE id >= :middle AND at >= :begin AND at < :end ORDER BY id LIMIT 1'
)
const firstAfter = statement<{ id: bigint }, { end: Date }>(
  'journal_first_after',
  `SELECT coalesce((SELECT max(id) + 1 FROM journal WHERE at < :end), (SELECT min(id) FROM journal), 0) AS id`
)

/**
 * The first id of an entry that is not before the instant, by binary search over the primary key: about twenty reads. Only the
 * instant's month is searched: its partition, however many others there are.
 */
export async function idAt(instant: Date, client?: QueryClientContract): Promise<bigint> {
  const month = monthOf(instant)
  const { first, last } = await endsWithin.one(month, client)
  if (first === null || last === null) {
    const later = await firstAfter.one({ end: month.end }, client)
    return later.id
  }
  let low = first
  let high = last + 1n
  while (low < high) {
    const middle = (low + high) / 2n
    const entry = await entryFrom.first({ ...month, middle }, client)
    if (!entry || entry.at >= instant) high = middle
    else low = entry.id + 1n
  }
  return low
}

/** The partitions are of months in UTC. */
function monthOf(instant: Date): Span {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()]
  return { begin: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
