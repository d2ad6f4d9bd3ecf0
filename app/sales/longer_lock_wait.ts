/**
 * A CTE that waits 6 s for locks instead of 2 s: confirm and cancel cannot be repeated for long, because the payment
 * window is ending. It still gives up before `statement_timeout` (config/database.ts) and before the partner does.
 * Whatever locks has to read from `longer_lock_wait`, because PostgreSQL reads `lock_timeout` when a wait begins.
 */
export const LONGER_LOCK_WAIT = `longer_lock_wait AS MATERIALIZED (SELECT set_config('lock_timeout', '6000', true))`
