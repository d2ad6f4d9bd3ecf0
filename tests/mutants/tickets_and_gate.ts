import type { Mutant } from '../../dev/mutation/mutant.ts'

const offline = ['tests/functional/partner_api/offline_verification.spec.ts']
const phoneScans = ['tests/functional/gate/phone_scans.spec.ts']
const gateList = ['tests/functional/gate/gate_list.spec.ts']

export default [
  {
    name: 'a token is dated a minute early',
    file: 'app/sales/confirm_order/confirm_order.ts',
    find: 'const issuedAt = Math.floor(Date.now() / 1000)',
    replace: 'const issuedAt = Math.floor(Date.now() / 1000) - 60',
    specs: offline,
  },
  {
    name: 'a token ends a day early',
    file: 'app/sales/confirm_order/confirm_order.ts',
    find: 'TOKEN_LIFE_AFTER_EVENT_SECONDS = 365',
    replace: 'TOKEN_LIFE_AFTER_EVENT_SECONDS = 364',
    specs: offline,
  },
  {
    name: 'the link of a ticket lives a minute longer',
    file: 'app/tickets/ticket_link.ts',
    find: '30 * DAY_MS',
    replace: '30 * DAY_MS + 60_000',
    specs: ['tests/unit/tickets/ticket_link.spec.ts'],
  },
  {
    name: 'the link of a ticket dies at its last millisecond',
    file: 'app/tickets/ticket_link.ts',
    find: 'now.getTime() > eventEndsAt',
    replace: 'now.getTime() >= eventEndsAt',
    specs: ['tests/unit/tickets/ticket_link.spec.ts'],
  },
  {
    name: 'a phone clock that runs ahead expires a ticket',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: "e.ends_at <= least(:at::timestamptz, clock_timestamp()) THEN 'expired'",
    replace: "e.ends_at <= coalesce(:at::timestamptz, clock_timestamp()) THEN 'expired'",
    specs: phoneScans,
  },
  {
    name: 'a void that is committed late is never listed',
    file: 'app/gate/phones/gate_list.ts',
    find: "interval '1 minute'",
    replace: "interval '0 seconds'",
    specs: gateList,
  },
  {
    name: 'tickets that the platform took back are not listed',
    file: 'app/gate/phones/gate_list.ts',
    find: "t.status = 'void' AND",
    replace: "t.void_cause = 'refund' AND",
    specs: gateList,
  },
  {
    name: 'a forged code leaves no scan',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: "if (!isId('evt', eventId)) return",
    replace: "if (!isId('evt', eventId) || !ticketId) return",
    specs: ['tests/functional/gate/scans.spec.ts'],
  },
] satisfies Mutant[]
