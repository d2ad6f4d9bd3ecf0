import type { Mutant } from '../../dev/mutation/mutant.ts'

const spec = (...names: string[]) => names.map((name) => `tests/functional/privacy/${name}.spec.ts`)
const batch = 'app/privacy/erase_batch.ts'
const traces = 'app/privacy/erase_traces.ts'
const job = 'app/privacy/jobs/erase_old_buyers.ts'
const act = 'app/privacy/erase_buyer.ts'
const locks = 'dev/migration_locks.ts'

export default [
  {
    name: 'a repeat of an erased order is compared with the pseudonym',
    file: 'app/sales/same_request.ts',
    find: `  assertSame('booking_id', stored.bookingId, received.bookingId)
  if (!stored.isBuyerErased) assertSameCustomer`,
    replace: `  assertSame('booking_id', stored.bookingId, received.bookingId)
  assertSameCustomer`,
    specs: spec('erase_buyer'),
  },
  {
    name: 'the buyer of a pending order is erased',
    file: batch,
    find: `AND buyer_erased_at IS NULL AND stored_status <> 'pending')`,
    replace: 'AND buyer_erased_at IS NULL)',
    specs: spec('erase_old_buyers'),
  },
  {
    name: 'what is erased already is erased again',
    file: batch,
    find: 'AND buyer_erased_at IS NULL AND stored_status',
    replace: 'AND stored_status',
    specs: spec('erase_buyer'),
  },
  {
    name: 'the journal keeps the buyer',
    file: traces,
    find: '  eraseFromJournal,\n',
    replace: '',
    specs: spec('erase_buyer'),
  },
  {
    name: 'attempts keep the buyer',
    file: traces,
    find: '  eraseFromAttempts,\n',
    replace: '',
    specs: spec('erase_buyer'),
  },
  {
    name: 'answers of webhook receivers keep the buyer',
    file: traces,
    find: '  eraseWebhookResponses,\n',
    replace: '',
    specs: spec('erase_buyer'),
  },
  {
    name: 'notes of cases keep the buyer',
    file: traces,
    find: '  eraseFromCaseNotes,\n',
    replace: '',
    specs: spec('erase_buyer'),
  },
  {
    name: 'outcomes of cases keep the buyer',
    file: traces,
    find: '  eraseFromOutcomes,\n',
    replace: '',
    specs: spec('erase_buyer'),
  },
  {
    name: 'buyers are erased when their event ends',
    file: job,
    find: `WHERE ends_at < clock_timestamp() - make_interval(days => :days::int)
      AND NOT EXISTS`,
    replace: `WHERE ends_at < clock_timestamp() - make_interval(days => :days::int) * 0
      AND NOT EXISTS`,
    specs: spec('erase_old_buyers'),
  },
  {
    name: 'an event is done while a buyer is left',
    file: job,
    find: `WHERE NOT EXISTS (SELECT FROM orders WHERE event_id = :eventId AND buyer_erased_at IS NULL)
        AND NOT`,
    replace: 'WHERE NOT',
    specs: spec('erase_old_buyers'),
  },
  {
    name: 'a run takes as long as there is something to erase',
    file: job,
    find: 'if (done || performance.now() >= endsAt) return',
    replace: 'if (done) return',
    specs: spec('erase_old_buyers'),
  },
  {
    name: 'the reason of an erasure names the buyer',
    file: act,
    find: `'without_buyers(:reason::text, ARRAY(SELECT jsonb_array_elements(:customers::jsonb)))'`,
    replace: `'(SELECT :reason::text FROM (SELECT :customers::jsonb) unused)'`,
    specs: spec('erase_buyer'),
  },
  {
    name: 'an e-mail with any number of orders is erased',
    file: act,
    find: '> most)',
    replace: '> Infinity)',
    specs: spec('erase_buyer'),
  },
  {
    name: 'the act needs no typed number',
    file: 'app/back_office/orders/buyer_erasures_controller.ts',
    find: 'if (input.confirmation !== orderId)',
    replace: "if (input.confirmation === '')",
    specs: spec('erasing_act'),
  },
  {
    name: 'any retention is taken',
    file: 'start/settings.ts',
    find: 'BUYER_RETENTION_DAYS: optional(integer(180, 36_500)),',
    replace: 'BUYER_RETENTION_DAYS: optional(number(-1, 36_500)),',
    specs: spec('erasing_act'),
  },
  {
    name: 'the log has the row that a constraint refused',
    file: 'config/logger.ts',
    find: "'err.detail', ",
    replace: '',
    specs: spec('logged_errors'),
  },
  {
    name: 'the journal of any order lets words go',
    sql: `CREATE OR REPLACE FUNCTION is_about_erased_buyer(name text, order_id text, booking_id text, change jsonb)
            RETURNS boolean LANGUAGE sql STABLE RETURN true`,
    specs: spec('guarded_tables'),
  },
  {
    name: 'words of the journal become other words',
    sql: `CREATE OR REPLACE FUNCTION is_erasure(was text, now text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN true`,
    specs: spec('guarded_tables'),
  },
  {
    name: 'an erased order takes a buyer again',
    sql: 'ALTER TABLE orders DROP CONSTRAINT orders_erased_buyer',
    specs: spec('guarded_tables'),
  },
  {
    name: 'a migration builds an index under a lock',
    file: locks,
    find: 'if (index && !index[1] && !isSmall(index[2]))',
    replace: 'if (index && index[1] && !isSmall(index[2]))',
    specs: ['tests/unit/dev/migration_locks.spec.ts'],
  },
  {
    name: 'a migration waits for its lock without an end',
    file: locks,
    find: 'if (waiting && !SAYS_LOCK_TIMEOUT.test(source))',
    replace: 'if (waiting && !waiting)',
    specs: ['tests/unit/dev/migration_locks.spec.ts'],
  },
  {
    name: 'bookings that became no order keep the buyer',
    file: 'app/privacy/erase_buyer.ts',
    find: 'bookingIds: bookingIds.slice(at, at + BATCH_SIZE) }',
    replace: 'bookingIds: [] }',
    specs: [
      'tests/functional/privacy/erase_buyer.spec.ts',
      'tests/functional/privacy/erasing_act.spec.ts',
    ],
  },
  {
    name: 'notes of matches keep the buyer',
    file: 'app/privacy/erase_traces.ts',
    find: '  eraseFromMatchNotes,\n',
    replace: '',
    specs: ['tests/functional/privacy/erase_buyer.spec.ts'],
  },
  {
    name: 'a row of a register keeps another e-mail of the buyer of its order',
    file: 'app/privacy/erase_traces.ts',
    find: '(named.is_alone OR r.email = ANY (named.emails))',
    replace: 'r.email = ANY (named.emails)',
    specs: ['tests/functional/privacy/erase_buyer.spec.ts'],
  },
  {
    name: 'whom staff searched for stays in the journal',
    file: 'app/privacy/jobs/erase_old_buyers.ts',
    find: '  await eraseOldSearches({ days })\n',
    replace: '',
    specs: ['tests/functional/privacy/erase_old_buyers.spec.ts'],
  },
  {
    name: 'an exported search for the name of an erased buyer stays',
    file: 'app/privacy/erase_traces.ts',
    find: `
          OR (j.change ->> 'list' = 'orders' AND \${IS_NAMED}))\``,
    replace: ')`',
    specs: ['tests/functional/privacy/erase_buyer.spec.ts'],
  },
] satisfies Mutant[]
