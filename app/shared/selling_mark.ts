import { FreshRead } from '#shared/fresh_read'
import { statement } from '#shared/statement'

/** SQL: whether this database was restored and `restore:finish` has not run since: nothing is sold (ADR 30). */
export const IS_RESTORE_OPEN = 'is_restore_open()'

const selectState = statement<{ isOpen: boolean }>(
  'restore_is_open',
  `SELECT ${IS_RESTORE_OPEN} AS "isOpen"`
)

const reads = new FreshRead<boolean>()

/** Whether selling waits for `restore:finish`; throws when PostgreSQL doesn't answer. */
export const isRestoreOpen = () =>
  reads.read('', async () => {
    const { isOpen } = await selectState.one({})
    return isOpen
  })
