import type { Mutant } from '../../dev/mutation/mutant.ts'

const broken = ['tests/functional/invariants/broken_on_purpose.spec.ts']
const board = ['tests/functional/invariants/board.spec.ts']
const nextRun = ['tests/unit/invariants/next_run.spec.ts']

export default [
  {
    name: 'missing months are not found',
    file: 'app/invariants/rules/months.ts',
    find: 'WHERE until_at < :asOf::timestamptz + ${FEWEST_AHEAD}',
    replace: 'WHERE until_at < :asOf::timestamptz',
    specs: broken,
  },
  {
    name: 'a month without a guard is not found',
    file: 'app/invariants/rules/tables.ts',
    find: 'FROM wanted JOIN month_partitions USING (table_name)',
    replace: 'FROM wanted JOIN month_partitions USING (table_name) WHERE false',
    specs: broken,
  },
  {
    name: 'a seat that two bookings hold is not found',
    file: 'app/invariants/rules/seats.ts',
    find: 'SELECT seat FROM looked GROUP BY seat HAVING count(*) > 1',
    replace: 'SELECT seat FROM looked GROUP BY seat HAVING count(*) > 2',
    specs: broken,
  },
  {
    name: 'a seat of a live booking that a cart has is not found',
    file: 'app/invariants/rules/seats.ts',
    find: 's.held_by IS DISTINCT FROM c.booking_id',
    replace: 's.held_by IS NULL',
    specs: broken,
  },
  {
    name: 'a total that is not that of the seats is not found',
    file: 'app/invariants/rules/orders.ts',
    find: ' OR o.total_tenge <> seats.tenge',
    replace: '',
    specs: broken,
  },
  {
    name: 'a disabled trigger still counts as a guard, and is not found',
    file: 'app/invariants/rules/tables.ts',
    find: "t.tgenabled IN ('O', 'A')",
    replace: 'true',
    specs: broken,
  },
  {
    name: 'a token of another event is accepted',
    file: 'app/invariants/rules/tickets.ts',
    find: 'return shown?.id === id && shown.eventId === eventId',
    replace: 'return shown?.id !== null || shown.eventId === eventId',
    specs: broken,
  },
  {
    name: 'a run of changes reads everything',
    file: 'app/invariants/invariant.ts',
    find: 'const find = since ? incremental : full',
    replace: 'const find = since && !full ? incremental : full',
    specs: board,
  },
  {
    name: 'a broken invariant is forgotten by the next run of changes',
    file: 'app/invariants/next_run.ts',
    find: 'return { since: result.isRed ? result.since : result.asOf }',
    replace: 'return { since: result.asOf }',
    specs: [...nextRun, ...board],
  },
  {
    name: 'two workers run the invariants',
    file: 'app/invariants/board_lease.ts',
    find: '\n    WHERE lease_until <= clock_timestamp() RETURNING one',
    replace: '\n    WHERE one RETURNING one',
    specs: board,
  },
  {
    name: 'a broken invariant is mailed with every run',
    file: 'app/invariants/run_invariant.ts',
    find: 'if (isRed === found > 0) return',
    replace: 'if (!isRed && found === 0) return',
    specs: board,
  },
  {
    name: 'the standby is not used',
    file: 'app/invariants/read_snapshot.ts',
    find: 'db.manager.has(STANDBY) ? STANDBY : undefined',
    replace: "db.manager.has(STANDBY) ? 'postgres' : undefined",
    specs: board,
  },
  {
    name: 'an index that refuses nothing is a guard',
    file: 'app/invariants/rules/tables.ts',
    find: 'indisunique AND indisvalid',
    replace: 'indisvalid',
    specs: ['tests/functional/invariants/broken_on_purpose.spec.ts'],
  },
  {
    name: 'a run that somebody asks for waits for its turn',
    file: 'app/invariants/next_run.ts',
    find: 'if (isAsked || !ended)',
    replace: 'if (!ended)',
    specs: ['tests/unit/invariants/next_run.spec.ts', 'tests/functional/invariants/board.spec.ts'],
  },
  {
    name: 'a request that comes during a run is forgotten',
    file: 'app/invariants/run_invariant_sql.ts',
    find: 'AND run_asked_at <= :startedAt`',
    replace: "AND run_asked_at <= :startedAt::timestamptz + interval '1 day'`",
    specs: ['tests/functional/invariants/board.spec.ts'],
  },
  {
    name: 'a payment that is gone is not found',
    file: 'app/invariants/rules/money.ts',
    find: 'FROM looked FULL JOIN settlement_seals',
    replace: 'FROM looked LEFT JOIN settlement_seals',
    specs: ['tests/functional/invariants/broken_on_purpose.spec.ts'],
  },
  {
    name: 'a row of a transaction that ended after the last run is not read',
    file: 'app/invariants/read_snapshot.ts',
    find: 'const OVERLAP_MS = 15 * MINUTE_MS',
    replace: 'const OVERLAP_MS = 0 * MINUTE_MS',
    specs: ['tests/functional/invariants/board.spec.ts'],
  },
] satisfies Mutant[]
