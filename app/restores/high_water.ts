import platform from '#config/platform'
import { EPOCH, WAS_RESTORED } from '#partners/feed/epoch'
import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { storageDirectory } from '#shared/storage'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'
import { writeWhole } from '#shared/whole_file'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import logger from '@adonisjs/core/services/logger'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * How far this database has come, kept outside of it: after a restore the file knows more than the database.
 *
 *     file      entry 8,120 of 12:00:09   order_numbers 415   ticket_numbers 902   written at 12:00:10
 *     database  entry 7,990 of 11:39:58   order_numbers 401   ticket_numbers 870   restored to 11:40: 130 entries are missing
 */
export interface HighWater {
  at: string
  /** Cluster and database: a base backup brings both back, while a dump or a copy is another database. */
  database: string
  /** The newest entry of the journal, and its moment. Entries are never deleted: where it is missing, there was a restore. */
  journal: string
  journalAt: string
  /** Sequence or counter → the last number given. */
  numbers: Record<string, string>
}

interface Position {
  installation: string
  database: string
  journal: bigint | null
  /** With microseconds. */
  journalAt: string | null
  numbers: Record<string, string>
  isOpen: boolean
  isNoticed: boolean
  now: Date
}

/** SQL: every sequence, and the counters of statements and memos, with the last number given. */
export const LAST_NUMBERS = `SELECT sequencename AS name, last_value AS last, max_value AS most FROM pg_sequences
    WHERE schemaname = current_schema() AND sequencename NOT LIKE 'adonis%' AND last_value IS NOT NULL
   UNION ALL SELECT 'counter:' || name, last, 2147483647 FROM settlement_counters`

/** SQL: which files on disk these are. */
export const DATABASE = `concat_ws('.', (SELECT system_identifier FROM pg_control_system()),
            (SELECT oid FROM pg_database WHERE datname = current_database()))`

const selectPosition = statement<Position>(
  'restore_position',
  `SELECT m.installation, ${DATABASE} AS database, newest.id AS journal, newest.at::text AS "journalAt",
          (SELECT json_object_agg(name, last::text) FROM (${LAST_NUMBERS}) numbers) AS numbers,
          is_restore_open() AS "isOpen", m.closed_at IS NOT NULL AS "isNoticed", clock_timestamp() AS now
     FROM selling_mark m LEFT JOIN (SELECT id, at FROM journal ORDER BY id DESC LIMIT 1) newest ON true`
)

// After a restore numbers are given once more: only its moment shows that an entry is the same. What restore:finish has ended is over.
const findKnown = statement<
  { isThere: boolean; isFinished: boolean },
  { journal: string; journalAt: string }
>(
  'restore_known_entry',
  `SELECT EXISTS (SELECT FROM journal WHERE id = :journal AND at = :journalAt::timestamptz) AS "isThere",
          EXISTS (SELECT FROM journal WHERE id > :journal AND name = 'restore_finished') AS "isFinished"`
)

const closeSelling = statement<object, { because: string; entry: bigint }>(
  'restore_close_selling',
  `UPDATE selling_mark SET closed_at = clock_timestamp(), closed_because = :because, restored_entry = :entry,
          made_in = CASE :because WHEN 'dump' THEN made_in ELSE pg_current_xact_id() END`
)

/** The last entry that a dump has brought back; the jobs of this process have written others since. */
const findDumpedEntry = statement<{ id: bigint }>(
  'restore_dumped_entry',
  `SELECT coalesce(max(id), 0) AS id FROM (SELECT id, xmin, change_xid FROM journal ORDER BY id DESC LIMIT 10000) j
    WHERE ${WAS_RESTORED}`
)

const findEntryBefore = statement<{ id: bigint }, { at: string }>(
  'restore_entry_before',
  `SELECT coalesce(max(id), 0) AS id FROM (SELECT id, at FROM journal ORDER BY id DESC LIMIT 10000) j WHERE at <= :at`
)

export const selectEpoch = statement<{ epoch: string }>('restore_epoch', `SELECT ${EPOCH} AS epoch`)

const pathOf = async (installation: string) =>
  join(await storageDirectory('restores'), `${installation}.json`)

/** Null when there is none, or when it was damaged. */
export async function readHighWater(installation: string): Promise<HighWater | null> {
  const text = await readIfThere(await pathOf(installation))
  try {
    const found = JSON.parse(text ?? 'null') as HighWater | null
    return found?.journalAt === undefined ? null : found
  } catch {
    return null
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether the file knows an entry of the journal that this database had and does not have any more. */
export async function isBehind(
  database: string,
  known: HighWater | null,
  client?: QueryClientContract
): Promise<boolean> {
  if (known === null || known.database !== database) return false
  const { journal, journalAt } = known
  const { isThere, isFinished } = await findKnown.one({ journal, journalAt }, client)
  return !isThere && !isFinished
}

/**
 * Notices a restore, from then on nothing is sold; otherwise stores how far the database has come. A quiet copy may share the
 * directory with the original, so it never writes there.
 */
export default async function noteHighWater(): Promise<void> {
  const position = await selectPosition.one({})
  const known = await readHighWater(position.installation)
  if (position.isOpen || (await isBehind(position.database, known))) {
    if (!position.isNoticed) await noticeRestore(known)
    return
  }
  const { installation, database, journal, journalAt, numbers, now } = position
  if (platform.isQuiet || journal === null) return
  const mark: HighWater = {
    at: now.toISOString(),
    database,
    journal: String(journal),
    journalAt: journalAt!,
    numbers,
  }
  await writeWhole(await pathOf(installation), JSON.stringify(mark))
}

async function noticeRestore(known: HighWater | null) {
  await transaction(async (trx) => {
    await takeTurn('restore', trx)
    const position = await selectPosition.one({}, trx)
    const { isOpen, isNoticed } = position
    const isMissing = await isBehind(position.database, known, trx)
    if (isNoticed || (!isOpen && !isMissing)) return
    const because = isOpen ? 'dump' : 'behind'
    const { id } = isOpen
      ? await findDumpedEntry.one({}, trx)
      : await findEntryBefore.one({ at: known!.at }, trx)
    await closeSelling({ because, entry: id }, trx)
    const entry = {
      because,
      newest_entry: String(id),
      known_entry: isMissing ? known!.journal : null,
    }
    await record('restore_noticed', entry, { actor: CLOCK }, trx)
    logger.error(entry, 'this database was restored: nothing is sold until restore:finish has run')
  })
}
