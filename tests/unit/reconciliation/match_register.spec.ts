import { MATCH_CATEGORIES, type OurOrder } from '#reconciliation/matching/match_case'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { createHash } from 'node:crypto'
import { DAY_MS } from '#shared/days'
import { test } from '@japa/runner'
import { anOrder, aRow, at, matched, sold } from './support.js'

const hashEmail = (email: string) => createHash('sha256').update(email).digest('hex')

const numbered = <One>(count: number, make: (n: number) => One) =>
  Array.from({ length: count }, (_, n) => make(n + 1))

interface Case {
  title: string
  rows: MatchRow[]
  orders: OurOrder[]
  lines: string[]
  /** The first reason of the first case. */
  why?: string
}

// prettier-ignore
const WATERFALL: Case[] = [
  { title: 'both identifiers are equal', rows: [sold(2, 1)], orders: [anOrder(1)], lines: ['MATCHED EXACT [2] [1]'] },
  { title: 'the order alone', rows: [sold(2, 1, { paymentId: null })], orders: [anOrder(1)], lines: ['MATCHED BY_ORDER [2] [1]'] },
  { title: 'the order, with another payment', rows: [sold(2, 1, { paymentId: 'Y' })], orders: [anOrder(1)], lines: ['MATCHED BY_ORDER [2] [1]'], why: 'PAYMENT_ID_DIFFERS' },
  { title: 'our number', rows: [aRow(2, { orderId: 'TIX-2026-000001' })], orders: [anOrder(1)], lines: ['MATCHED BY_ORDER [2] [1]'] },
  { title: 'our number in the column of keys', rows: [aRow(2, { orderKey: 'TIX-2026-000001' })], orders: [anOrder(1)], lines: ['MATCHED BY_ORDER [2] [1]'] },
  { title: 'the payment alone', rows: [aRow(2, { paymentId: 'X-1' })], orders: [anOrder(1)], lines: ['MATCHED BY_PAYMENT [2] [1]'] },
  { title: 'the payment under an unknown key', rows: [aRow(2, { orderKey: '?', paymentId: 'X-1' })], orders: [anOrder(1)], lines: ['MATCHED BY_PAYMENT [2] [1]'], why: 'ORDER_KEY_UNKNOWN' },
  { title: 'the payment of a later order under the key of an expired one', rows: [aRow(2, { orderKey: 'P-2', paymentId: 'X-1' })], orders: [anOrder(1), anOrder(2, { status: 'expired', externalPaymentId: null })], lines: ['MATCHED BY_PAYMENT [2] [1]'], why: 'KEY_OF_UNPAID_ORDER' },
  { title: 'keys that lead to different orders', rows: [sold(2, 1, { paymentId: 'X-2' })], orders: [anOrder(1), anOrder(2)], lines: ['KEY_CONFLICT KEY_CONFLICT [2] [1,2]'], why: 'KEYS_LEAD_TO' },
  { title: 'keys that were swapped', rows: [sold(2, 1, { paymentId: 'X-2' }), sold(3, 2, { paymentId: 'X-1' })], orders: [anOrder(1), anOrder(2)], lines: ['MATCHED GROUP_ONE_TO_MANY [2,3] [1,2]'], why: 'KEYS_LEAD_TO' },
  { title: 'our number against the key', rows: [aRow(2, { orderKey: 'P-1', orderId: 'TIX-2026-000002' })], orders: [anOrder(1), anOrder(2)], lines: ['KEY_CONFLICT KEY_CONFLICT [2] [1,2]'] },
  { title: 'one payment for several orders', rows: [aRow(2, { paymentId: 'C-1', amountTenge: 30_000n })], orders: [anOrder(1, { externalPaymentId: 'C-1' }), anOrder(2, { externalPaymentId: 'C-1', totalTenge: 20_000n })], lines: ['MATCHED GROUP_ONE_TO_MANY [2] [1,2]'], why: 'SHARED_PAYMENT' },
  { title: 'one payment for several orders, written twice', rows: [2, 3].map((line) => aRow(line, { paymentId: 'C-1', amountTenge: 20_000n })), orders: [1, 2].map((n) => anOrder(n, { externalPaymentId: 'C-1' })), lines: ['MATCHED GROUP_ONE_TO_MANY [2] [1,2]', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'one payment for several orders, one of them named by a row in conflict', rows: [aRow(2, { paymentId: 'C-1', amountTenge: 20_000n }), aRow(3, { orderKey: 'P-1', paymentId: 'X-3' })], orders: [...[1, 2].map((n) => anOrder(n, { externalPaymentId: 'C-1' })), anOrder(3)], lines: ['MATCHED GROUP_ONE_TO_MANY [2,3] [1,2,3]'], why: 'SHARED_PAYMENT' },
  { title: 'a shared payment that paid for less than its orders', rows: [aRow(2, { paymentId: 'C-1', amountTenge: 20_000n })], orders: [anOrder(1, { externalPaymentId: 'C-1' }), anOrder(2, { externalPaymentId: 'C-1', totalTenge: 20_000n })], lines: ['AMOUNT_DIFF GROUP_ONE_TO_MANY [2] [1,2]'] },
  { title: 'a shared payment that paid for one of its orders', rows: [aRow(2, { paymentId: 'C-1' })], orders: [1, 2].map((n) => anOrder(n, { externalPaymentId: 'C-1' })), lines: ['AMOUNT_DIFF GROUP_ONE_TO_MANY [2] [1,2]'], why: 'SHARED_PAYMENT' },
  { title: 'a row for each ticket', rows: [sold(2, 1, { amountTenge: 5_000n }), sold(3, 1, { amountTenge: 5_000n })], orders: [anOrder(1)], lines: ['MATCHED GROUP_MANY_TO_ONE [2,3] [1]'] },
  { title: 'a row for each ticket, one of them twice', rows: [2, 3, 4].map((line) => sold(line, 1, { amountTenge: 5_000n })), orders: [anOrder(1)], lines: ['MATCHED GROUP_MANY_TO_ONE [2,3] [1]', 'DUP_IN_FILE NONE [4] []'] },
  { title: 'a key in Cyrillic, small letters and spaces', rows: [aRow(2, { orderKey: ' р-1' })], orders: [anOrder(1)], lines: ['MATCHED SUGGESTED_BY_ID [2] [1]'], why: 'IDS_REPAIRED' },
  { title: 'a key without its zeros', rows: [aRow(2, { orderKey: '123' })], orders: [anOrder(1, { partnerOrderId: '000123' })], lines: ['MATCHED SUGGESTED_BY_ID [2] [1]'] },
  { title: 'a payment in scientific notation', rows: [aRow(2, { paymentId: '1.23457E+17' })], orders: [anOrder(1, { externalPaymentId: '123456789012345678' })], lines: ['MATCHED SUGGESTED_BY_ID [2] [1]'] },
  { title: 'scientific notation that fits two orders, lines by the amount', rows: [aRow(2, { paymentId: '1.23E+17' })], orders: [anOrder(1, { externalPaymentId: '123000000000000001' }), anOrder(2, { externalPaymentId: '123000000000000002', totalTenge: 1n, statementPeriod: 'later', isInPeriod: false })], lines: ['MATCHED SUGGESTED_BY_ID [2] [1]'] },
  { title: 'scientific notation that fits two orders', rows: [aRow(2, { paymentId: '1.23E+17' })], orders: [1, 2].map((n) => anOrder(n, { externalPaymentId: `12300000000000000${n}` })), lines: ['AMBIGUOUS NONE [2] [1,2]'] },
  { title: 'amount, time and event', rows: [aRow(2, { event: 'evt_1', at: at('2026-09-15T12:09:59Z') })], orders: [anOrder(1)], lines: ['MATCHED SUGGESTED_BY_LIKENESS [2] [1]'], why: 'SAME_AMOUNT_TIME_AND_EVENT' },
  { title: 'amount, time and buyer', rows: [aRow(2, { email: 'a@b.kz' })], orders: [anOrder(1, { emailHash: hashEmail('a@b.kz') }), anOrder(2, { statementPeriod: 'later', isInPeriod: false })], lines: ['MATCHED SUGGESTED_BY_LIKENESS [2] [1]'], why: 'SAME_AMOUNT_TIME_AND_BUYER' },
  { title: 'amount, day and event, where it is more than ten minutes apart', rows: [aRow(2, { event: 'evt_1', at: at('2026-09-15T12:10:01Z') })], orders: [anOrder(1), anOrder(2, { eventId: 'evt_2' })], lines: ['MATCHED SUGGESTED_BY_LIKENESS [2] [1]', 'MISSING_AT_PARTNER NONE [] [2]'], why: 'SAME_AMOUNT_AND_DAY' },
  { title: 'amount and day of a buyer whom nobody knows', rows: [aRow(2, { email: 'x@y.kz' })], orders: [anOrder(1)], lines: ['MATCHED SUGGESTED_BY_LIKENESS [2] [1]'], why: 'SAME_AMOUNT_AND_DAY' },
  { title: 'amount and day, where the row names nothing else', rows: [aRow(2, { at: at('2026-09-15T18:30:00Z') })], orders: [anOrder(1)], lines: ['MATCHED SUGGESTED_BY_LIKENESS [2] [1]'], why: 'SAME_AMOUNT_AND_DAY' },
  { title: 'amount and day, where as many rows fit as orders', rows: [aRow(2), aRow(3)], orders: [anOrder(1), anOrder(2)], lines: ['MATCHED SUGGESTED_BY_LIKENESS [2,3] [1,2]'], why: 'SEVERAL_CANDIDATES' },
  { title: 'no amount of another day', rows: [aRow(2, { at: at('2026-09-15T19:30:00Z') })], orders: [anOrder(1)], lines: ['MISSING_AT_PLATFORM NONE [2] []', 'MISSING_AT_PARTNER NONE [] [1]'] },
  { title: 'no amount and day of a row with an unknown name', rows: [aRow(2, { orderKey: '?' })], orders: [anOrder(1)], lines: ['MISSING_AT_PLATFORM NONE [2] []', 'MISSING_AT_PARTNER NONE [] [1]'] },
  { title: 'a payment that two names have', rows: [aRow(2, { orderKey: 'Q-1', paymentId: 'Y' }), aRow(3, { orderKey: 'Q-2', paymentId: 'Y' })], orders: [], lines: ['MISSING_AT_PLATFORM NONE [2,3] []'] },
  { title: 'no payment that is a dummy text', rows: [aRow(2, { orderKey: 'Q-1', paymentId: 'test' }), aRow(3, { orderKey: 'Q-2', paymentId: 'test' })], orders: [], lines: ['MISSING_AT_PLATFORM NONE [2] []', 'MISSING_AT_PLATFORM NONE [3] []'] },
  { title: 'a damaged key of an order that another row has named', rows: [sold(2, 1), aRow(3, { orderKey: 'p-1', paymentId: 'Y' })], orders: [anOrder(1)], lines: ['MATCHED EXACT [2] [1]', 'MISSING_AT_PLATFORM SUGGESTED_BY_ID [3] []'] },
  { title: 'the payment of two orders that were never paid', rows: [1, 2].map((n) => sold(n + 1, n, { paymentId: 'Y' })), orders: [1, 2].map((n) => anOrder(n, { status: 'expired', externalPaymentId: null })), lines: ['MISSING_AT_PLATFORM NONE [2,3] []'], why: 'ORDER_EXPIRED' },
  { title: 'no order number that is a dummy text', rows: [sold(2, 1, { orderKey: 'null', amountTenge: 15_000n }), sold(3, 2, { orderKey: 'null', amountTenge: 5_000n })], orders: [anOrder(1), anOrder(2)], lines: ['AMOUNT_DIFF BY_PAYMENT [2] [1]', 'AMOUNT_DIFF BY_PAYMENT [3] [2]'] },
  { title: 'a suggestion that takes no exact row with it', rows: [sold(2, 1, { paymentId: 'Z' }), aRow(3, { orderKey: 'р-2', paymentId: 'Z' })], orders: [anOrder(1), anOrder(2)], lines: ['MATCHED BY_ORDER [2] [1]', 'MATCHED SUGGESTED_BY_ID [3] [2]'] },
  { title: 'a refund under a damaged key', rows: [sold(2, 1), sold(3, 1, { orderKey: 'p-1', paymentId: null, amountTenge: -10_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['MATCHED SUGGESTED_BY_ID [2,3] [1]'] },
  { title: 'the other half of an order under a damaged key', rows: [sold(2, 1, { amountTenge: 5_000n }), sold(3, 1, { orderKey: 'p-1', paymentId: null, amountTenge: 5_000n })], orders: [anOrder(1)], lines: ['MATCHED SUGGESTED_BY_ID [2,3] [1]'] },
  { title: 'two orders alike', rows: [aRow(2, { event: 'evt_1' })], orders: [anOrder(1), anOrder(2)], lines: ['AMBIGUOUS NONE [2] [1,2]'] },
  { title: 'a rush of equal orders: more than may be looked at one by one', rows: numbered(30, (n) => aRow(n + 1, { event: 'evt_1' })), orders: numbered(30, (n) => anOrder(n)), lines: [`MATCHED SUGGESTED_BY_LIKENESS [${numbered(30, (n) => n + 1)}] [${numbered(30, (n) => n)}]`] },
  { title: 'two rows alike', rows: [aRow(2, { event: 'evt_1' }), aRow(3, { event: 'evt_1' })], orders: [anOrder(1)], lines: ['AMBIGUOUS NONE [2,3] [1]'] },
]

// prettier-ignore
const VERDICTS: Case[] = [
  { title: 'more than our total', rows: [sold(2, 1, { amountTenge: 10_001n })], orders: [anOrder(1)], lines: ['AMOUNT_DIFF EXACT [2] [1]'] },
  { title: 'less than our total', rows: [sold(2, 1, { amountTenge: 9_999n })], orders: [anOrder(1)], lines: ['AMOUNT_DIFF EXACT [2] [1]'] },
  { title: 'the same row twice', rows: [sold(2, 1), sold(3, 1)], orders: [anOrder(1)], lines: ['MATCHED EXACT [2] [1]', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'a wrong row twice', rows: [sold(2, 1, { amountTenge: 11_000n }), sold(3, 1, { amountTenge: 11_000n })], orders: [anOrder(1)], lines: ['AMOUNT_DIFF EXACT [2] [1]', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'two payments for one order', rows: [sold(2, 1, { paymentId: 'Y' }), sold(3, 1)], orders: [anOrder(1)], lines: ['AMOUNT_DIFF GROUP_MANY_TO_ONE [2,3] [1]'], why: 'SECOND_CHARGE' },
  { title: 'a sale and its refund', rows: [sold(2, 1), sold(3, 1, { amountTenge: -10_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['MATCHED EXACT [2,3] [1]'] },
  { title: 'one row net of a refund', rows: [sold(2, 1, { amountTenge: 6_000n })], orders: [anOrder(1, { status: 'partially_refunded', refundedTenge: 4_000n })], lines: ['MATCHED EXACT [2] [1]'], why: 'NET_OF_REFUND' },
  { title: 'a refund that we do not know', rows: [sold(2, 1), sold(3, 1, { amountTenge: -10_000n })], orders: [anOrder(1)], lines: ['REFUND_DIFF EXACT [2,3] [1]'], why: 'REFUND_WITHOUT_VOID' },
  { title: 'a refund that they do not know', rows: [sold(2, 1)], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['REFUND_DIFF EXACT [2] [1]'], why: 'VOID_WITHOUT_REFUND' },
  { title: 'a second charge that went back', rows: [sold(2, 1), sold(3, 1, { paymentId: 'Y' }), sold(4, 1, { paymentId: 'Y', amountTenge: -10_000n })], orders: [anOrder(1)], lines: ['MATCHED GROUP_MANY_TO_ONE [2,3,4] [1]'] },
  { title: 'a second charge that went back, and a void of ours that did not', rows: [sold(2, 1, { paymentId: 'y' }), sold(3, 1), sold(4, 1, { paymentId: 'Y', amountTenge: -10_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['AMOUNT_DIFF GROUP_MANY_TO_ONE [2,3,4] [1]'], why: 'SECOND_CHARGE' },
  { title: 'a second charge that went back, all of it written twice', rows: [sold(2, 1), sold(3, 1, { paymentId: 'Y' }), sold(4, 1, { paymentId: 'Y' }), sold(5, 1, { paymentId: 'Y', amountTenge: -10_000n })], orders: [anOrder(1)], lines: ['MATCHED GROUP_MANY_TO_ONE [2,3,5] [1]', 'DUP_IN_FILE NONE [4] []'] },
  { title: 'a second charge, its refund written twice', rows: [sold(2, 1), sold(3, 1, { paymentId: 'Y' }), ...[4, 5].map((line) => sold(line, 1, { paymentId: 'Y', amountTenge: -10_000n }))], orders: [anOrder(1)], lines: ['MATCHED GROUP_MANY_TO_ONE [2,3,4] [1]', 'DUP_IN_FILE NONE [5] []'] },
  { title: 'refunds in two parts', rows: [sold(2, 1), sold(3, 1, { amountTenge: -3_000n }), sold(4, 1, { amountTenge: -2_000n })], orders: [anOrder(1, { status: 'partially_refunded', refundedTenge: 5_000n })], lines: ['MATCHED EXACT [2,3,4] [1]'] },
  { title: 'a refund of an earlier sale', rows: [sold(2, 1, { amountTenge: -10_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n, statementPeriod: 'earlier', isInPeriod: false })], lines: ['MATCHED EXACT [2] [1]'], why: 'REFUND_OF_EARLIER_SALE' },
  { title: 'a refund of the period, after one that an earlier register has shown', rows: [sold(2, 1, { amountTenge: -4_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n, refundedInPeriodTenge: 4_000n, statementPeriod: 'earlier', isInPeriod: false })], lines: ['MATCHED EXACT [2] [1]'], why: 'REFUND_OF_EARLIER_SALE' },
  { title: 'a refund of the period, together with an earlier one', rows: [sold(2, 1, { amountTenge: -10_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n, refundedInPeriodTenge: 4_000n, statementPeriod: 'earlier', isInPeriod: false })], lines: ['MATCHED EXACT [2] [1]'], why: 'REFUND_OF_EARLIER_SALE' },
  { title: 'a refund that is neither of the period nor with an earlier one', rows: [sold(2, 1, { amountTenge: -5_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n, refundedInPeriodTenge: 4_000n, statementPeriod: 'earlier', isInPeriod: false })], lines: ['REFUND_DIFF EXACT [2] [1]'], why: 'REFUND_WITHOUT_VOID' },
  { title: 'a refund of the period written twice, after an earlier one', rows: [2, 3].map((line) => sold(line, 1, { amountTenge: -4_000n })), orders: [anOrder(1, { refundedTenge: 8_000n, refundedInPeriodTenge: 4_000n, statementPeriod: 'earlier', isInPeriod: false })], lines: ['MATCHED EXACT [2] [1]', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'two equal refunds of an earlier period', rows: [2, 3].map((line) => sold(line, 1, { amountTenge: -5_000n })), orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n, refundedInPeriodTenge: 0n, statementPeriod: 'earlier', isInPeriod: false })], lines: ['MATCHED EXACT [2,3] [1]'], why: 'REFUND_OF_EARLIER_SALE' },
  { title: 'a whole id that ends like a rounded one, written twice', rows: [2, 3].map((line) => aRow(line, { paymentId: '1234567890123450' })), orders: [anOrder(1, { externalPaymentId: '1234567890123450' })], lines: ['MATCHED BY_PAYMENT [2] [1]', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'a state, and a later one of the same payment', rows: [sold(2, 1), sold(3, 1, { returnedTenge: 4_000n })], orders: [anOrder(1, { status: 'partially_refunded', refundedTenge: 4_000n })], lines: ['DUP_IN_FILE NONE [2] []', 'MATCHED EXACT [3] [1]'] },
  { title: 'one order of a cart twice, the other one not at all', rows: [2, 3].map((line) => sold(line, 1, { paymentId: 'C-1' })), orders: [1, 2].map((n) => anOrder(n, { externalPaymentId: 'C-1' })), lines: ['AMOUNT_DIFF GROUP_ONE_TO_MANY [2] [1,2]', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'an overcharge that went back with the order', rows: [sold(2, 1, { amountTenge: 10_500n }), sold(3, 1, { amountTenge: -10_500n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['MATCHED EXACT [2,3] [1]'] },
  { title: 'a refund whose sale is not there', rows: [sold(2, 1, { amountTenge: -10_000n })], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['REFUND_DIFF EXACT [2] [1]'], why: 'SALE_ROW_MISSING' },
  { title: 'billed in the neighbouring statement', rows: [sold(2, 1)], orders: [anOrder(1, { statementPeriod: 'later', isInPeriod: false })], lines: ['PERIOD_DIFF EXACT [2] [1]'], why: 'IN_ANOTHER_STATEMENT' },
  { title: 'of the period but billed earlier, and not in the register', rows: [], orders: [anOrder(1, { statementPeriod: 'earlier' })], lines: ['PERIOD_DIFF NONE [] [1]'] },
  { title: 'not billed yet, in the period', rows: [sold(2, 1)], orders: [anOrder(1, { statementPeriod: null })], lines: ['MATCHED EXACT [2] [1]'] },
  { title: 'of another period and not billed', rows: [sold(2, 1)], orders: [anOrder(1, { statementPeriod: null, isInPeriod: false })], lines: ['OUT_OF_SCOPE EXACT [2] [1]'], why: 'ORDER_OF_ANOTHER_PERIOD' },
  { title: 'not in the register', rows: [], orders: [anOrder(1)], lines: ['MISSING_AT_PARTNER NONE [] [1]'] },
  { title: 'not in the register and refunded', rows: [], orders: [anOrder(1, { status: 'refunded', refundedTenge: 10_000n })], lines: ['MISSING_AT_PARTNER NONE [] [1]'] },
  { title: 'of a neighbouring period and not in the register', rows: [], orders: [anOrder(1, { statementPeriod: 'later', isInPeriod: false })], lines: [] },
  { title: 'unpaid and not in the register', rows: [], orders: [anOrder(1, { status: 'expired' })], lines: [] },
  { title: 'declined there, paid here', rows: [sold(2, 1, { isNotPaid: true })], orders: [anOrder(1)], lines: ['STATUS_DIFF EXACT [2] [1]'], why: 'NOT_PAID_THERE' },
  { title: 'declined once, then paid', rows: [sold(2, 1, { isNotPaid: true, paymentId: null }), sold(3, 1)], orders: [anOrder(1)], lines: ['OUT_OF_SCOPE BY_ORDER [2] []', 'MATCHED EXACT [3] [1]'] },
  { title: 'declined there, unknown here', rows: [aRow(2, { orderKey: '?', isNotPaid: true })], orders: [], lines: ['OUT_OF_SCOPE NONE [2] []'] },
  { title: 'paid there, pending here', rows: [sold(2, 1)], orders: [anOrder(1, { status: 'pending', externalPaymentId: null })], lines: ['STATUS_DIFF NONE [2] []'], why: 'ORDER_PENDING' },
  { title: 'money for an expired order', rows: [sold(2, 1)], orders: [anOrder(1, { status: 'expired', externalPaymentId: null })], lines: ['MISSING_AT_PLATFORM NONE [2] []'], why: 'ORDER_EXPIRED' },
  { title: 'money for a cancelled order under a damaged key', rows: [sold(2, 1, { orderKey: 'p-1' })], orders: [anOrder(1, { status: 'cancelled', externalPaymentId: null })], lines: ['MISSING_AT_PLATFORM NONE [2] []'], why: 'ORDER_CANCELLED' },
  { title: 'money for an expired order, given back', rows: [sold(2, 1), sold(3, 1, { amountTenge: -10_000n })], orders: [anOrder(1, { status: 'expired' })], lines: ['MISSING_AT_PLATFORM NONE [2,3] []'] },
  { title: 'money for nothing that we know', rows: [sold(2, 9)], orders: [], lines: ['MISSING_AT_PLATFORM NONE [2] []'], why: 'UNKNOWN_ORDER' },
  { title: 'a second charge, written twice', rows: [sold(2, 1), ...[3, 4].map((line) => sold(line, 1, { paymentId: 'Y' }))], orders: [anOrder(1)], lines: ['AMOUNT_DIFF GROUP_MANY_TO_ONE [2,3] [1]', 'DUP_IN_FILE NONE [4] []'] },
  { title: 'money for nothing that we know, written twice', rows: [sold(2, 9), sold(3, 9)], orders: [], lines: ['MISSING_AT_PLATFORM NONE [2] []', 'DUP_IN_FILE NONE [3] []'] },
  { title: 'a refund of nothing that we know', rows: [sold(2, 9, { amountTenge: -10_000n })], orders: [], lines: ['MISSING_AT_PLATFORM NONE [2] []'], why: 'REFUND_OF_UNKNOWN_SALE' },
  { title: 'a row far from the period', rows: [sold(2, 9, { at: at('2026-08-30T18:00:00Z') })], orders: [], lines: ['OUT_OF_SCOPE NONE [2] []'], why: 'OUTSIDE_PERIOD' },
  { title: 'a row at the edge of the period', rows: [sold(2, 9, { at: at('2026-08-30T20:00:00Z') })], orders: [], lines: ['MISSING_AT_PLATFORM NONE [2] []'] },
  { title: 'a row that could not be read', rows: [aRow(2, { amountTenge: null, isUnparseable: true })], orders: [], lines: ['UNPARSEABLE NONE [2] []'], why: 'ROW_PROBLEMS' },
]

const period = { from: new Date('2026-08-31T19:00:00Z'), to: new Date('2026-09-30T19:00:00Z') }

for (const [group, cases] of [
  ['A register is matched by', WATERFALL],
  ['The verdict of a register on', VERDICTS],
] as const) {
  test.group(group, () => {
    for (const { title, rows, orders, lines, why } of cases) {
      test(title, async ({ assert }) => {
        const result = await matched(rows, orders, { period, hashEmail })
        assert.deepEqual(result.lines, lines)
        if (why) assert.equal(result.cases[0].why[0]?.code, why)
      })
    }
  })
}

test.group('The date of a matched row', () => {
  for (const [name, moment, codes] of [
    ['of another year is doubtful', '2025-09-15T12:00:00Z', ['DATE_FAR_FROM_SALE']],
    ['of the register, far from the sale, is not', '2026-09-03T12:00:00Z', []],
    ['outside the register, near the sale, is not', '2026-10-04T12:00:00Z', []],
  ] as const)
    test(name, async ({ assert }) => {
      const order = anOrder(1, { paidAt: at('2026-09-28T12:00:00Z') })
      const { cases } = await matched([sold(2, 1, { at: at(moment) })], [order], { period })
      assert.equal(cases[0].category, 'MATCHED')
      assert.deepEqual(
        cases[0].why.map(({ code }) => code),
        codes
      )
    })
})

test.group('Equal rows', () => {
  const unknown = [2, 3, 4, 5].map((line) => sold(line, 9, { amountTenge: 12_000n }))

  test('of tickets are separate tickets of an unknown order', async ({ assert }) => {
    const { lines, cases } = await matched(unknown, [], { rowIs: 'ticket' })
    assert.deepEqual(lines, ['MISSING_AT_PLATFORM NONE [2,3,4,5] []'])
    assert.equal(cases[0].compared.salesTenge, 48_000n)
  })

  for (const rowIs of ['order', 'payment'] as const)
    test(`of a source with a row for each ${rowIs} are one payment`, async ({ assert }) => {
      const { totals } = await matched(unknown, [], { rowIs })
      assert.equal(totals.MISSING_AT_PLATFORM.rowsTenge, 12_000n)
      assert.equal(totals.DUP_IN_FILE.rows, 3)
    })

  test('repeat no row that could not be read', async ({ assert }) => {
    const rows = [sold(2, 1, { isUnparseable: true }), sold(3, 1)]
    const { lines } = await matched(rows, [anOrder(1)])
    assert.deepEqual(lines, ['UNPARSEABLE NONE [2] []', 'MATCHED EXACT [3] [1]'])
  })

  test('of tickets with numbers are one ticket', async ({ assert }) => {
    const rows = ['T1', 'T2', 'T2'].map((ticketNumber, i) =>
      sold(i + 2, 1, { amountTenge: 5_000n, ticketNumber })
    )
    const { lines } = await matched(rows, [anOrder(1)], { rowIs: 'ticket' })
    assert.deepEqual(lines, ['MATCHED GROUP_MANY_TO_ONE [2,3] [1]', 'DUP_IN_FILE NONE [4] []'])
  })

  test('of tickets that cost more than their order are a difference', async ({ assert }) => {
    const rows = [2, 3, 4].map((line) => sold(line, 1, { amountTenge: 5_000n }))
    const { lines } = await matched(rows, [anOrder(1)], { rowIs: 'ticket' })
    assert.deepEqual(lines, ['AMOUNT_DIFF GROUP_MANY_TO_ONE [2,3,4] [1]'])
  })
})

test.group('Payment ids of 20 digits that a spreadsheet rounded to 15', () => {
  const ROUNDED = '12345678901234600000'
  const rounded = (line: number, more: Partial<MatchRow> = {}) =>
    aRow(line, { paymentId: ROUNDED, ...more })
  const orders = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      anOrder(n + 1, { externalPaymentId: `123456789012345678${String(n).padStart(2, '0')}` })
    )
  const rows = (count: number) => Array.from({ length: count }, (_, n) => rounded(n + 2))

  for (const count of [2, 30])
    test(`${count} rows are the ${count} orders of that day and sum`, async ({ assert }) => {
      const { cases } = await matched(rows(count), orders(count), { period })
      assert.lengthOf(cases, 1)
      const [{ category, step, suggested, why, compared }] = cases
      assert.deepEqual([category, step, suggested.size], ['MATCHED', 'SUGGESTED_BY_ID', count])
      assert.deepEqual(why, [{ code: 'IDS_LOST_DIGITS', detail: { rows: count, orders: count } }])
      assert.equal(compared.salesTenge, compared.totalTenge)
    })

  test('rows and orders that are not as many stay together undecided', async ({ assert }) => {
    const { cases } = await matched(rows(29), orders(30), { period })
    assert.lengthOf(cases, 1)
    assert.equal(cases[0].category, 'AMBIGUOUS')
    const { salesTenge, totalTenge } = cases[0].compared
    assert.deepEqual([salesTenge, totalTenge], [290_000n, 300_000n])
  })

  test('orders of one sum are matched on their own days', async ({ assert }) => {
    const next = at('2026-09-16T12:00:00Z')
    const [first, second] = orders(2)
    const known = [first, { ...second, paidAt: next }]
    const { lines } = await matched([rounded(2, { at: next }), rounded(3)], known, { period })
    assert.deepEqual(lines, ['MATCHED SUGGESTED_BY_ID [2] [2]', 'MATCHED SUGGESTED_BY_ID [3] [1]'])
  })

  test('orders whose ids begin otherwise are not meant', async ({ assert }) => {
    const known = [...orders(2), anOrder(3, { externalPaymentId: '99945678901234567801' })]
    const { lines } = await matched(rows(2), known, { period })
    assert.deepEqual(lines, [
      'MATCHED SUGGESTED_BY_ID [2,3] [1,2]',
      'MISSING_AT_PARTNER NONE [] [3]',
    ])
  })
})

test.group('Reasons of matches', () => {
  test('missing money is explained by its refused confirm', async ({ assert }) => {
    const attempts = [
      {
        orderIdSent: 'TIX-2026-000001',
        externalPaymentId: 'Q',
        amountTenge: 10_000n,
        code: 'ORDER_EXPIRED',
      },
      {
        orderIdSent: 'TIX-2026-000002',
        externalPaymentId: 'W',
        amountTenge: 9_000n,
        code: 'INVALID_PARAMETERS',
      },
    ]
    const expired = [1, 2].map((n) => anOrder(n, { status: 'expired', externalPaymentId: null }))
    const rows = ['Q', 'W'].map((paymentId, i) => aRow(2 + i, { orderKey: '?', paymentId }))
    rows[1].orderKey = null
    const { cases } = await matched(rows, expired, { attempts })
    const refused = (n: number, answer: string) => [
      { code: 'ORDER_EXPIRED', detail: { orderId: `TIX-2026-00000${n}` } },
      { code: 'CONFIRM_REFUSED', detail: { orderId: `TIX-2026-00000${n}`, answer } },
    ]
    assert.deepEqual(
      cases.map(({ why }) => why),
      [
        refused(1, 'ORDER_EXPIRED'),
        refused(2, 'INVALID_PARAMETERS'),
      ] as unknown as (typeof cases)[number]['why'][]
    )
  })

  test('a damaged key of a taken order is a second charge, also next to another order', async ({
    assert,
  }) => {
    const rows = [
      sold(2, 1, { paymentId: 'Y' }),
      sold(3, 2),
      sold(4, 2, { orderKey: 'p-2', paymentId: 'Y' }),
    ]
    const { cases } = await matched(rows, [anOrder(1), anOrder(2)])
    assert.sameMembers(
      cases[0].why.map(({ code }) => code),
      ['PAYMENT_ID_DIFFERS', 'SECOND_CHARGE', 'SECOND_CHARGE']
    )
  })

  test('a register that shows no refunds is not asked for them', async ({ assert }) => {
    const voided = anOrder(1, { refundedTenge: 4_000n })
    const linesWith = async (refunds: boolean) => {
      const { lines } = await matched([sold(1, 1)], [voided], { covers: { sales: true, refunds } })
      return lines
    }
    assert.deepEqual(await linesWith(true), ['REFUND_DIFF EXACT [1] [1]'])
    assert.deepEqual(await linesWith(false), ['MATCHED EXACT [1] [1]'])
  })

  test('an order number with one mistyped character is suggested, where one missing order of that sum fits', async ({
    assert,
  }) => {
    const missing = anOrder(1, { partnerOrderId: 'ORD-100123' })
    const named = (line: number, orderKey: string, changed: Partial<MatchRow> = {}) =>
      aRow(line, { orderKey, at: at('2026-09-16T12:00:00Z'), ...changed })
    const categoriesOf = async (rows: MatchRow[], ...orders: OurOrder[]) => {
      const { cases } = await matched(rows, [missing, ...orders])
      return cases.map(({ category, step }) => `${category} ${step}`)
    }
    const apart = ['MISSING_AT_PLATFORM NONE', 'MISSING_AT_PARTNER NONE']
    for (const sent of ['ORD-100128', 'ORD-10123', 'ORD-1001234', 'оrd-100128'])
      assert.deepEqual(await categoriesOf([named(2, sent)]), ['MATCHED SUGGESTED_BY_ID'], sent)
    const { cases } = await matched([named(2, 'ORD-100128')], [missing])
    assert.deepEqual(cases[0].why, [
      { code: 'ID_MISTYPED', detail: { orderId: 'TIX-2026-000001' } },
    ])
    assert.lengthOf([...cases[0].suggested], 1)

    for (const sent of ['ORD-100185', 'ORD-1001', 'ORD-100132'])
      assert.deepEqual(await categoriesOf([named(2, sent)]), apart, sent)
    const later = missing.paidAt + 2 * DAY_MS
    for (const changed of [{ at: later }, { paymentId: 'pay-of-another' }])
      assert.deepEqual(await categoriesOf([named(2, 'ORD-100128', changed)]), apart)
    const ofAnother = aRow(2, { orderId: 'TIX-2026-000002' })
    assert.deepEqual(await categoriesOf([ofAnother]), apart, 'our own numbers')
    const otherSum = named(2, 'ORD-100128', { amountTenge: 7_000n })
    assert.deepEqual(await categoriesOf([otherSum]), apart)
    const two = [named(2, 'ORD-100128'), named(3, 'ORD-100129')]
    assert.deepEqual(await categoriesOf(two), [apart[0], apart[0], apart[1]], 'two rows')
    const alike = anOrder(2, { partnerOrderId: 'ORD-100125' })
    const missingTwo = [apart[0], apart[1], apart[1]]
    assert.deepEqual(await categoriesOf([named(2, 'ORD-100128')], alike), missingTwo, 'two orders')
    const shown = [named(2, 'ORD-100123'), named(3, 'ORD-100128')]
    assert.deepEqual(await categoriesOf(shown), ['MATCHED BY_ORDER', apart[0]], 'not missing')
    const expired = anOrder(2, { partnerOrderId: 'ORD-100128', status: 'expired' })
    assert.deepEqual(await categoriesOf([named(2, 'ORD-100128')], expired), apart, 'expired')
    const short = anOrder(1, { partnerOrderId: 'P-123' })
    const { lines } = await matched([named(2, 'P-128')], [short])
    assert.deepEqual(lines, ['MISSING_AT_PLATFORM NONE [2] []', 'MISSING_AT_PARTNER NONE [] [1]'])
  })

  test('a repaired id has the list of its repairs', async ({ assert }) => {
    const { cases } = await matched([aRow(2, { orderKey: "'р-1 " })], [anOrder(1)])
    const repairs = ['TRIMMED', 'APOSTROPHE', 'LOOK_ALIKES', 'CASE']
    assert.deepEqual(cases[0].why, [{ code: 'IDS_REPAIRED', detail: { repairs } }])
    assert.lengthOf([...cases[0].suggested], 1)
  })

  for (const externalPaymentId of ['test', 'SHOP-PAYMENT'])
    test(`a row with the payment id of thirty orders is matched as one without: ${externalPaymentId}`, async ({
      assert,
    }) => {
      const numbers = Array.from({ length: 30 }, (_, n) => n)
      const orders = numbers.map((n) => anOrder(n, { externalPaymentId }))
      const rowsOf = (count: number, more = {}) =>
        numbers.slice(0, count).map((n) => aRow(n + 2, { paymentId: externalPaymentId, ...more }))
      const { lines } = await matched(rowsOf(1), orders)
      assert.deepEqual(lines, [`AMBIGUOUS NONE [2] [${numbers.join(',')}]`])
      const { cases } = await matched(rowsOf(30), orders)
      assert.deepEqual(
        cases.map(({ category, rows }) => [category, rows.length]),
        [['MATCHED', 30]]
      )
      const { lines: ofOtherDay } = await matched(rowsOf(1, { at: at('2026-07-01') }), orders)
      assert.equal(ofOtherDay[0], 'MISSING_AT_PLATFORM NONE [2] []')
      const { lines: equal } = await matched(rowsOf(3, { at: at('2026-07-01') }), orders)
      assert.deepEqual(
        equal.slice(0, 3),
        [2, 3, 4].map((line) => `MISSING_AT_PLATFORM NONE [${line}] []`)
      )
    })

  test('the tables above cover every category except the one of fees', ({ assert }) => {
    const reached = [...WATERFALL, ...VERDICTS].flatMap(({ lines }) => lines)
    const left = MATCH_CATEGORIES.filter(
      (category) => !reached.some((text) => text.startsWith(`${category} `))
    )
    assert.deepEqual(left, ['FEE_INCLUDED'])
  })
})

test.group('Rows that cannot be read', () => {
  const unread = (line: number, ids: object) => aRow(line, { isUnparseable: true, ...ids })
  const reasonsFor = async (rows: MatchRow[], more: { hasOwnPaymentIds?: boolean } = {}) => {
    const { cases } = await matched(rows, [anOrder(1)], more)
    const missing = cases.find(({ category }) => category === 'MISSING_AT_PARTNER')
    return missing?.why
  }
  const namedIn = (line: number) => [{ code: 'NAMED_IN_UNREAD_ROW', detail: { line } }]

  for (const ids of [{ orderKey: 'P-1' }, { orderId: 'TIX-2026-000001' }, { paymentId: 'X-1' }])
    test(`are named by an order that they alone have: ${Object.keys(ids)}`, async ({ assert }) => {
      const rows = [unread(11, ids), unread(10, ids), unread(2, { orderKey: 'P-9' })]
      assert.deepEqual(await reasonsFor(rows), namedIn(10))
    })

  test('name no order by a damaged id, nor by a payment number of the source’s own', async ({
    assert,
  }) => {
    const notInRegister = [{ code: 'NOT_IN_REGISTER' }]
    assert.deepEqual(await reasonsFor([unread(2, { orderKey: 'p-1' })]), notInRegister)
    const byPayment = [unread(2, { paymentId: 'X-1' })]
    assert.deepEqual(await reasonsFor(byPayment, { hasOwnPaymentIds: true }), notInRegister)
  })

  test('say nothing of an order that another row shows', async ({ assert }) => {
    assert.isUndefined(await reasonsFor([unread(2, { orderKey: 'P-1' }), sold(3, 1)]))
  })
})
