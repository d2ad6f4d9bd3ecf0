import { aStaffMember } from '#tests/support/browser'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { signedIn } from '#tests/support/page_client'
import { fileOf, lineOf, matchedRegister, saleOfOrders } from '#tests/support/registers'
import { statementsDuring } from '#tests/support/sent_statements'
import { test } from '@japa/runner'

/** The named statements for a page that asks for some of its props again, without those that every page sends. */
async function statementsFor(path: string, props: string[]) {
  const client = await signedIn(await aStaffMember('finance'))
  const { component } = await client.get(path)
  const sent = await statementsDuring(() => client.reload(path, component!, props))
  const ofEveryPage = await statementsDuring(() => client.get('/account/password'))
  return sent.filter((name) => !ofEveryPage.includes(name))
}

async function anAccount() {
  const { partner } = await aClosableMonth()
  return `/settlement/${partner.code}`
}
async function aRegister() {
  const { partner, orders } = await saleOfOrders(1)
  return `/registers/${await matchedRegister(partner, fileOf(await lineOf(orders[0])))}`
}

interface Reload {
  of: string
  path: () => Promise<string>
  props: string[]
  statements: string[]
}

const RELOADS: Reload[] = [
  {
    of: 'equal payments, while a payment is typed',
    path: async () =>
      `${await anAccount()}?paidOn=2026-11-24&direction=from_partner&amountTenge=1000`,
    props: ['samePayments'],
    statements: ['back_office_payments_of_day_and_sum', 'partner_name_by_code'],
  },
  {
    of: 'another page of memos',
    path: anAccount,
    props: ['filters', 'memos', 'second'],
    statements: [
      'back_office_decided_memos',
      'back_office_settlement_requests',
      'back_office_undecided_memos',
      'partner_name_by_code',
      'staff_second_people',
    ],
  },
  {
    of: 'another month of the scorecard',
    path: anAccount,
    props: ['scorecard'],
    statements: ['back_office_scorecard', 'partner_name_by_code'],
  },
  {
    of: 'balances of all accounts',
    path: async () => '/settlement',
    props: ['balances'],
    statements: ['back_office_balances'],
  },
  {
    of: 'mails of a statement, while they are sent',
    path: async () => {
      const { partner } = await aClosableMonth()
      const { statementId } = await issueFor(partner)
      return `/statements/${statementId}`
    },
    props: ['mails'],
    statements: ['back_office_statement_mails', 'settlement_statement_by_id'],
  },
  {
    of: 'what a register makes cases of',
    path: aRegister,
    props: ['futureCases'],
    statements: ['back_office_register_future_cases', 'register_by_id'],
  },
  {
    of: 'the first rows by another mapping',
    path: async () => `${await aRegister()}/mapping`,
    props: ['mapping', 'sample', 'proposals', 'words'],
    statements: [
      'register_by_id',
      'register_payments_that_confirms_named',
      'register_source',
      'register_totals_of_named_orders',
    ],
  },
  {
    of: 'cases of a year',
    path: async () => '/cases',
    props: ['months', 'precision'],
    statements: ['back_office_case_months', 'back_office_case_precision'],
  },
  {
    // The list itself is composed by its filters, and has no name.
    of: 'runs, while some are at work',
    path: async () => '/runs',
    props: ['runs'],
    statements: [],
  },
  {
    of: 'seats of the next events',
    path: async () => '/',
    props: ['seats'],
    statements: ['back_office_event_figures', 'back_office_next_events'],
  },
  {
    of: 'sales of an event',
    path: async () => {
      const { event } = await saleOfOrders(1)
      return `/events/${event.id}`
    },
    props: ['sales'],
    statements: ['back_office_event', 'back_office_event_sales'],
  },
  {
    of: 'today’s sales of all partners',
    path: async () => '/partners',
    props: ['today'],
    statements: ['back_office_partners_today'],
  },
  {
    of: 'today’s orders of a partner',
    path: async () => {
      const { partner } = await saleOfOrders(1)
      return `/partners/${partner.code}`
    },
    props: ['usage'],
    statements: ['back_office_partner', 'back_office_partner_usage'],
  },
]

test.group('A page that asks for some of its props again reads these only', () => {
  test('{of}')
    .with(RELOADS)
    .run(async ({ assert }, { path, props, statements }) => {
      assert.deepEqual(await statementsFor(await path(), props), statements)
    })
})
