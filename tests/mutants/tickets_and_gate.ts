import type { Mutant } from '../../dev/mutation/mutant.ts'

const offline = ['tests/functional/partner_api/offline_verification.spec.ts']
const phoneScans = ['tests/functional/gate/phone_scans.spec.ts']
const gateList = ['tests/functional/gate/gate_list.spec.ts']

const races = (...names: string[]) => names.map((name) => `tests/functional/races/${name}.spec.ts`)
const gate = (...names: string[]) => names.map((name) => `tests/functional/gate/${name}.spec.ts`)

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
  {
    name: 'a ticket enters twice',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: "  if (ticket.status === 'used') {\n    const first",
    replace: "  if (ticket.status === 'used' && !ticket.used_at) {\n    const first",
    specs: gate('scans'),
  },
  {
    name: 'two gates admit one ticket at once',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: '      await lockTicket({ ticketId }, trx)\n',
    replace: '',
    specs: races('orders'),
  },
  {
    name: 'a ticket enters another event',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: "      if (ticket.eventId !== eventId) refuse('TICKET_WRONG_EVENT', { event_id: ticket.eventId })\n",
    replace: '',
    specs: gate('scans', 'phone_scans'),
  },
  {
    name: 'check codes may be guessed',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: "      if ('number' in shown) await countTypedCode(input.scanner)\n",
    replace: '',
    specs: gate('phone_scans'),
  },
  {
    name: 'any check code is right',
    file: 'app/tickets/queries/shown_ticket.ts',
    find: 'isProven: isCheckCode(qrToken, code)',
    replace: 'isProven: code.length > 0 || isCheckCode(qrToken, code)',
    specs: gate('phone_scans'),
  },
  {
    name: 'a token of another event’s key is accepted',
    file: 'app/tickets/queries/shown_ticket.ts',
    find: 'return key.event_id === eventId ? { id, eventId, isProven: true } : undefined',
    replace: 'return { id, eventId, isProven: true }',
    specs: gate('scans'),
  },
  {
    name: 'a revoked device scans',
    file: 'app/tickets/queries/find_gate_device.ts',
    find: 'WHERE key_digest = :digest AND revoked_at IS NULL',
    replace: 'WHERE key_digest = :digest',
    specs: gate('scans', 'phone_scans'),
  },
  {
    name: 'a repeated scan of a phone is judged again',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: '    if (earlier) return repeatAnswer(earlier, eventId)\n',
    replace: '',
    specs: gate('phone_scans'),
  },
  {
    name: 'a guest refused by the phone is admitted',
    file: 'app/tickets/admit_ticket/admit_ticket.ts',
    find: '      if (phone?.refusedOffline) throw new Refusal(phone.refusedOffline)\n',
    replace: '',
    specs: gate('phone_scans'),
  },
  {
    name: 'refused scans are listed as used',
    file: 'app/gate/phones/gate_list.ts',
    find: " AND s.verdict = 'admitted'",
    replace: '',
    specs: gate('gate_list'),
  },
  {
    name: 'void tickets count as sold',
    file: 'app/gate/phones/gate_list.ts',
    find: "AND status <> 'active' AND status <> 'void') AS sold",
    replace: "AND status <> 'active') AS sold",
    specs: gate('gate_list'),
  },
] satisfies Mutant[]
