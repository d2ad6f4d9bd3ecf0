import type { Mutant } from '../../dev/mutation/mutant.ts'

const rounding = ['tests/functional/ledger/rounding.spec.ts']
const seal = ['tests/functional/ledger/seal_vector.spec.ts', 'tests/functional/ledger/seal.spec.ts']
const breaches = ['tests/functional/ledger/breaches.spec.ts']
const partnerRules = ['tests/unit/defects/partner_rules.spec.ts']

const shareOf = (half: string, down: string) =>
  `CREATE OR REPLACE FUNCTION share_of(amount bigint, rate_bp integer, rounding text)
   RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
     CASE rounding WHEN 'down' THEN ${down} ELSE ${half} END`
const HALF_UP = '(amount * rate_bp + 5000) / 10000'
const DOWN = 'amount * rate_bp / 10000'

export default [
  {
    name: 'half a tenge is rounded down',
    sql: shareOf('(amount * rate_bp + 4999) / 10000', DOWN),
    specs: rounding,
  },
  {
    name: 'rounding down rounds half a tenge up',
    sql: shareOf(HALF_UP, HALF_UP),
    specs: rounding,
  },
  {
    name: 'half a tenge is dropped, whatever was agreed',
    sql: shareOf(DOWN, DOWN),
    specs: rounding,
  },
  {
    name: 'the seal leaves out the rate of a line',
    file: 'app/ledger/seal.ts',
    find: "    rate_bp: 'plain',\n",
    replace: '',
    specs: seal,
  },
  {
    name: 'the seal leaves out the opening balance',
    file: 'app/ledger/seal.ts',
    find: "    opening_tenge: 'plain',\n",
    replace: '',
    specs: seal,
  },
  {
    name: 'the seal has milliseconds',
    file: 'app/ledger/seal.ts',
    find: 'HH24:MI:SS.US',
    replace: 'HH24:MI:SS.MS',
    specs: seal,
  },
  {
    name: 'the seal leaves out memos',
    file: 'app/ledger/seal.ts',
    find: '    await read.memos({ ids: documents.memo }, trx),\n',
    replace: '',
    specs: seal,
  },
  {
    name: 'a memo corrects a statement of another partner',
    file: 'app/ledger/actions/memos.ts',
    find: ' AND partner_id = :partnerId::integer)',
    replace: ')',
    specs: ['tests/functional/ledger/memos.spec.ts'],
  },
  {
    name: 'a payment is for a statement of another partner',
    file: 'app/ledger/actions/record_payment.ts',
    find: "  if (found.partnerId !== partnerId) refuse('NO_SUCH', { what: 'statement of this partner' })\n",
    replace: '',
    specs: ['tests/functional/ledger/payments.spec.ts'],
  },
  {
    name: 'an order without all of its tickets is in order',
    file: 'app/ledger/queries/find_breaches.ts',
    find: 'WHEN issued.count <> booked.count THEN',
    replace: 'WHEN issued.count = 0 THEN',
    specs: breaches,
  },
  {
    name: 'an order at another price than booked is in order',
    file: 'app/ledger/queries/find_breaches.ts',
    find: ' OR o.total_tenge <> booked.tenge',
    replace: '',
    specs: breaches,
  },
  {
    name: 'a sale of another number of tickets than booked is in order',
    file: 'app/ledger/queries/find_breaches.ts',
    find: ' OR sale.tickets <> booked.count',
    replace: '',
    specs: breaches,
  },
  {
    name: 'a period is closed without its grace time',
    file: 'app/ledger/queries/find_next_period.ts',
    find: 'new Date(period.to.getTime() + terms.graceMinutes * MINUTE_MS)',
    replace: 'period.to',
    specs: ['tests/functional/ledger/statements.spec.ts'],
  },
  {
    name: 'late confirms are too many only from three in a hundred',
    file: 'app/defects/rules/thresholds.ts',
    find: 'LATE_CONFIRM_RATE: limit(0.02, 0.002)',
    replace: 'LATE_CONFIRM_RATE: limit(0.03, 0.002)',
    specs: partnerRules,
  },
  {
    name: 'late confirms are unusual only from one in a hundred',
    file: 'app/defects/rules/thresholds.ts',
    find: 'LATE_CONFIRM_RATE: limit(0.02, 0.002)',
    replace: 'LATE_CONFIRM_RATE: limit(0.02, 0.01)',
    specs: partnerRules,
  },
  {
    name: 'late confirms are too many by the share itself',
    file: 'app/defects/rules/partner_rules.ts',
    find: 'lowerBound > most',
    replace: 'hits / sample > most',
    specs: partnerRules,
  },
  {
    name: 'corrections count as payments',
    file: 'app/ledger/single_person_limits.ts',
    find: ' AND scope = :scope',
    replace: ' AND :scope::text IS NOT NULL',
    specs: ['tests/functional/ledger/single_person_limits.spec.ts'],
  },
  {
    name: 'what was done yesterday counts',
    file: 'app/ledger/single_person_limits.ts',
    find: ' AND acted_at >= :dayStart',
    replace: ' AND :dayStart::timestamptz IS NOT NULL',
    specs: ['tests/functional/ledger/single_person_limits.spec.ts'],
  },
  {
    name: 'an approved payment is reversed by one person',
    file: 'app/ledger/actions/reverse_payment.ts',
    find: '        approvedBy !== null || (await needsSecondPerson',
    replace: '        (await needsSecondPerson',
    specs: ['tests/functional/ledger/single_person_limits.spec.ts'],
  },
  {
    name: 'parts are more than the payment',
    file: 'app/ledger/actions/record_payment.ts',
    find: 'if (total > amountTenge || isRepeated',
    replace: 'if (isRepeated',
    specs: ['tests/functional/ledger/payments.spec.ts'],
  },
  {
    name: 'a statement is paid twice by one payment',
    file: 'app/ledger/actions/record_payment.ts',
    find: 'amountTenge || isRepeated ||',
    replace: 'amountTenge ||',
    specs: ['tests/functional/ledger/payments.spec.ts'],
  },
  {
    name: 'a ticket of an unpaid order is in order',
    file: 'app/ledger/queries/find_breaches.ts',
    find: "WHEN o.confirmed_at IS NULL THEN 'TICKET_WITHOUT_PAID_ORDER'\n                ",
    replace: '',
    specs: ['tests/functional/ledger/breaches.spec.ts'],
  },
  {
    name: 'a sale at another time than its order is in order',
    file: 'app/ledger/queries/find_breaches.ts',
    find: '\n                  OR sale.effective_at <> o.confirmed_at',
    replace: '\n                 ',
    specs: ['tests/functional/ledger/breaches.spec.ts'],
  },
] satisfies Mutant[]
