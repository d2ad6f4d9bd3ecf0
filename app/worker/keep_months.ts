import platform from '#config/platform'
import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/**
 * Some tables are partitioned by month (ADR 31). Creates the months to come, and moves the oldest ones, when a retention is set and
 * is over, to the schema `archive`, where nothing of the product reads them (docs/operations.md).
 *
 *     2026-11   journal_2026_12, journal_2027_01, journal_2027_02 are created
 *     JOURNAL_RETENTION_MONTHS=60   in 2026-11, journal_2021_10 is archived: all of it is older than 60 months
 *
 * The functions run as the owner of the tables. They wait half a second for their locks: the next run tries again.
 */
const MONTHS_AHEAD = 3

const createMonths = statement<object, { ahead: number }>(
  'months_create',
  'SELECT create_months(:ahead::int)'
)
const detachOldestMonth = statement<{ name: string | null }, { table: string; months: number }>(
  'months_detach_oldest',
  'SELECT detach_oldest_month(:table, :months::int) AS name'
)

export default async function keepMonths(): Promise<void> {
  await createMonths.one({ ahead: MONTHS_AHEAD })
  for (const [table, months] of Object.entries(platform.retentionMonths))
    if (months !== null) await archiveMonths(table, months)
}

/** Also for the tests: archives one month after another, until all that are left are kept. */
export async function archiveMonths(table: string, months: number): Promise<void> {
  let isDone = false
  while (!isDone)
    isDone = await transaction(async (trx) => {
      const { name } = await detachOldestMonth.one({ table, months }, trx)
      if (name === null) return true
      await record(
        'month_archived',
        { table: name, retention_months: months },
        { actor: CLOCK },
        trx
      )
      return false
    })
}
