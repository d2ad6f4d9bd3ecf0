/**
 * For a statement that the partner cannot repeat for long, because the payment window is ending: it waits longer for a lock
 * than others do, and still gives up before `statement_timeout` (config/database.ts) and before the partner does.
 * Whatever locks has to read from `patient`. PostgreSQL reads `lock_timeout` when a wait begins; here it holds until the
 * end of the transaction, which is the statement's own.
 */
export const LONGER_LOCK_WAIT = `patient AS MATERIALIZED (SELECT set_config('lock_timeout', '6000', true))`
