import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const BEFORE_ALL = new Date(0)

interface Span {
  begin: Date
  end: Date
}

// The first partition has all that was there before there were months, and no beginning. DEFAULT, without both bounds, is left out.
const findPartition = statement<{ begin: Date | null; end: Date }, { instant: Date }>(
  'journal_partition_at',
  `SELECT from_at AS "begin", until_at AS "end" FROM month_partitions
    WHERE table_name = 'journal' AND until_at > :instant AND (from_at IS NULL OR from_at <= :instant)`
)
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
 * The first id of an entry that is not before the instant, by binary search over the primary key: some twenty reads of the
 * instant's partition, however many others there are.
 */
export async function idAt(instant: Date, client?: QueryClientContract): Promise<bigint> {
  const partition = await findPartition.first({ instant }, client)
  const span = partition ? { ...partition, begin: partition.begin ?? BEFORE_ALL } : monthOf(instant)
  const { first, last } = await endsWithin.one(span, client)
  if (first === null || last === null) {
    const later = await firstAfter.one({ end: span.end }, client)
    return later.id
  }
  let low = first
  let high = last + 1n
  while (low < high) {
    const middle = (low + high) / 2n
    const entry = await entryFrom.first({ ...span, middle }, client)
    if (!entry || entry.at >= instant) high = middle
    else low = entry.id + 1n
  }
  return low
}

/** Of a moment for which there is no partition yet: DEFAULT has few entries. */
function monthOf(instant: Date): Span {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()]
  return { begin: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
