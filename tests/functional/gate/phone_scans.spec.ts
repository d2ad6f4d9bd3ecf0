import { TESTER, aSale, anEvent, sell } from '#tests/support/fixtures'
import { aGate } from '#tests/functional/races/support/gates'
import { outcomeOf } from '#tests/functional/races/support/crowd'
import { untilSomebodyWaits } from '#tests/functional/races/support/gate_hold'
import { rows } from '#tests/functional/races/support/sql'
import AdmitTicket, { type AdmitTicketInput } from '#tickets/admit_ticket/admit_ticket'
import RevokeGateDevice from '#tickets/actions/revoke_gate_device'
import type { PhoneScan } from '#tickets/admit_ticket/scan_log'
import { checkCodeOf } from '#tickets/check_code'
import expireTickets from '#tickets/jobs/expire_tickets'
import { Refusal, type RefusalCode } from '#shared/refusals'
import db from '@adonisjs/lucid/services/db'
import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'

const MINUTE_MS = 60_000

/** A member of staff with a phone. */
async function aPhone(name = 'Aliya') {
  const email = `gate-${randomUUID()}@staff.test`
  const insert = `INSERT INTO staff (email, full_name, role, password) VALUES ($1, $2, 'gate', 'x') RETURNING id`
  const [{ id: staffId }] = await rows(insert, [email, name])
  const actor = { kind: 'staff', name: email, requestId: null } as const
  const scan = (
    eventId: string,
    shown: AdmitTicketInput['shown'],
    phone: Partial<PhoneScan> = {}
  ) =>
    new AdmitTicket().handle({
      eventId,
      shown,
      actor,
      scanner: { name, staffId: Number(staffId) },
      phone: { id: randomUUID(), offlineAt: null, refusedOffline: null, ...phone },
    })
  return { name, email, staffId: Number(staffId), scan }
}

async function aTicketAtPhone() {
  const [sale, phone] = await Promise.all([aSale(), aPhone()])
  const order = await sell(sale.client, sale.event.id, ['seat-1-1'])
  const ticket = order.tickets[0]
  const code = checkCodeOf(ticket.qr_token as string)
  return { ...sale, phone, order, ticket, code, token: { token: ticket.qr_token as string } }
}

/** The code of the refusal, or `admitted`. */
const outcome = async (scan: Promise<unknown>) => {
  try {
    await scan
    return 'admitted'
  } catch (error) {
    if (error instanceof Refusal) return error.refusalCode
    throw error
  }
}
const ticketRow = async (id: string) => {
  const [row] = await rows('SELECT * FROM tickets WHERE id = $1', [id])
  return row
}
const scansOf = (eventId: string) =>
  rows('SELECT * FROM ticket_scans WHERE event_id = $1 ORDER BY id', [eventId])
const admissions = (orderId: string) =>
  rows(`SELECT * FROM journal WHERE order_id = $1 AND name = 'ticket_admitted'`, [orderId])

test.group('AdmitTicket by a member of staff', () => {
  test('a QR code admits the guest, and the journal names the person', async ({ assert }) => {
    const { event, phone, ticket, token, order } = await aTicketAtPhone()

    const admitted = await phone.scan(event.id, token)

    assert.containsSubset(admitted, { number: ticket.number, used_gate: 'Aliya' })
    const [scan] = await scansOf(event.id)
    assert.containsSubset(scan, {
      staff_id: phone.staffId,
      gate_device_id: null,
      ticket_id: ticket.ticket_id,
      verdict: 'admitted',
      offline_at: null,
    })
    const [entry] = await admissions(order.order_id)
    assert.deepEqual([entry.actor_kind, entry.actor], ['staff', phone.email])
    assert.deepEqual(entry.change, { ticket_id: ticket.ticket_id, number: ticket.number })
  })

  for (const [how, typed] of [
    ['whole', (number: string) => number],
    ['in small letters with a space', (number: string) => ` ${number.toLowerCase()} `],
    ['without its dashes', (number: string) => number.replaceAll('-', '')],
    ['by its digits', (number: string) => String(Number(/\d+$/.exec(number)![0]))],
  ] as const) {
    test(`a number typed ${how} admits with its check code`, async ({ assert }) => {
      const { event, phone, ticket, code } = await aTicketAtPhone()
      const admitted = await phone.scan(event.id, { number: typed(ticket.number), code })
      assert.equal(admitted.id, ticket.ticket_id)
    })
  }

  for (const number of ['', 'hello', 'XYZ-TKT-000001', '-1', '999999999999', '9'.repeat(40)]) {
    test(`“${number}” is not a ticket number`, async ({ assert }) => {
      const { event, phone } = await aTicketAtPhone()
      assert.equal(await outcome(phone.scan(event.id, { number, code: 'AAAA' })), 'QR_INVALID')
    })
  }

  test('a ticket number of another event has its own verdict', async ({ assert }) => {
    const { phone, ticket, code } = await aTicketAtPhone()
    const other = await anEvent()
    const scan = phone.scan(other.id, { number: ticket.number, code })
    assert.equal(await outcome(scan), 'TICKET_WRONG_EVENT')
  })

  for (const typed of ['', 'AAAA', 'A', '\0\0\0\0', 'AAAAAAAA']) {
    test(`a number with ${JSON.stringify(typed)} as check code admits nobody and leaves a row`, async ({
      assert,
    }) => {
      const { event, phone, ticket } = await aTicketAtPhone()
      const scan = phone.scan(event.id, { number: ticket.number, code: typed })

      assert.equal(await outcome(scan), 'CHECK_CODE_WRONG')

      const { status } = await ticketRow(ticket.ticket_id)
      assert.equal(status, 'active')
      assert.containsSubset(await scansOf(event.id), [
        { verdict: 'CHECK_CODE_WRONG', ticket_id: ticket.ticket_id, staff_id: phone.staffId },
      ])
    })
  }

  test('the check code of another ticket is wrong', async ({ assert }) => {
    const { event, phone, ticket, client } = await aTicketAtPhone()
    const { tickets } = await sell(client, event.id, ['seat-1-2'])
    const other = { number: ticket.number, code: checkCodeOf(tickets[0].qr_token) }
    assert.equal(await outcome(phone.scan(event.id, other)), 'CHECK_CODE_WRONG')
  })

  test('after ten typed numbers in a minute a person has to wait, other people do not', async ({
    assert,
  }) => {
    const { event, phone, ticket, code } = await aTicketAtPhone()
    const other = await aPhone()
    const guess = () => outcome(phone.scan(event.id, { number: ticket.number, code: 'AAAA' }))

    const guesses = await Promise.all(Array.from({ length: 15 }, guess))

    assert.lengthOf(
      guesses.filter((one) => one === 'CHECK_CODE_WRONG'),
      10
    )
    assert.lengthOf(
      guesses.filter((one) => one === 'RATE_LIMIT_EXCEEDED'),
      5
    )
    const right = { number: ticket.number, code }
    assert.equal(await outcome(phone.scan(event.id, right)), 'RATE_LIMIT_EXCEEDED')
    assert.lengthOf(await scansOf(event.id), 16)
    assert.equal(await outcome(other.scan(event.id, right)), 'admitted')
  })

  test('numbers that a phone refused without network are not typed ones', async ({ assert }) => {
    const { event, phone, ticket, code } = await aTicketAtPhone()
    const shown = { number: ticket.number as string, code }
    const refusedOffline = 'TICKET_ALREADY_USED'
    for (let sent = 0; sent < 11; sent++) {
      const scan = phone.scan(event.id, shown, { offlineAt: new Date(), refusedOffline })
      assert.equal(await outcome(scan), refusedOffline)
    }
    assert.equal(await outcome(phone.scan(event.id, shown)), 'admitted')
  })

  test('the partner reads the printed check code, and none for a void ticket', async ({
    assert,
  }) => {
    const { client, order, ticket, code } = await aTicketAtPhone()
    assert.equal(ticket.check_code, code)
    await client.post(`/orders/${order.order_id}/refund`, {
      ticket_ids: [ticket.ticket_id],
      reason: 'ill',
    })
    const { data } = await client.get(`/orders?partner_order_id=${order.partner_order_id}`)
    assert.isNull(data.tickets[0].check_code)
  })

  test('a ticket used at a device is used for a phone, and the other way round', async ({
    assert,
  }) => {
    const { event, phone, order, token, client } = await aTicketAtPhone()
    const gate = await aGate()
    const second = await sell(client, event.id, ['seat-1-2'])
    await gate.scan(event.id, token.token)
    await phone.scan(event.id, { token: second.tickets[0].qr_token })

    assert.equal(await outcome(phone.scan(event.id, token)), 'TICKET_ALREADY_USED')
    const atDevice = await gate.scan(event.id, second.tickets[0].qr_token)
    assert.equal(outcomeOf(atDevice), '409 TICKET_ALREADY_USED')
    assert.equal(atDevice.error.details.gate, 'Aliya')
    assert.lengthOf(await admissions(order.order_id), 1)
  })
})

test.group('AdmitTicket with late and repeated uploads', () => {
  test('a repeated scan gets the same answer and counts once', async ({ assert }) => {
    const { event, phone, token, order } = await aTicketAtPhone()
    const id = randomUUID()

    const first = await phone.scan(event.id, token, { id })
    const again = await phone.scan(event.id, token, { id })

    assert.deepEqual(again.used_at, first.used_at)
    assert.equal(again.used_gate, first.used_gate)
    assert.lengthOf(await scansOf(event.id), 1)
    assert.lengthOf(await admissions(order.order_id), 1)
  })

  test('a repeated refused scan is refused the same and leaves one row', async ({ assert }) => {
    const { event, phone, token } = await aTicketAtPhone()
    const id = randomUUID()
    await phone.scan(event.id, token)

    const refusals = [0, 1].map(() => phone.scan(event.id, token, { id }))
    const [first, again] = await Promise.allSettled(refusals)

    assert.equal(first.status, 'rejected')
    assert.deepEqual(
      (again as PromiseRejectedResult).reason.details,
      (first as PromiseRejectedResult).reason.details
    )
    assert.lengthOf(await scansOf(event.id), 2)
  })

  test('a refused scan that is sent again has the same details', async ({ assert }) => {
    const { event, phone, token } = await aTicketAtPhone()
    const id = randomUUID()
    await phone.scan(event.id, token)
    const refusalOf = async () => {
      const [refused] = await Promise.allSettled([phone.scan(event.id, token, { id })])
      return (refused as PromiseRejectedResult).reason as Refusal
    }
    const [first, again] = [await refusalOf(), await refusalOf()]
    assert.equal(first.details.gate, 'Aliya')
    assert.deepEqual(again.details, first.details)
  })

  test('one refused scan sent twice at once leaves one row and is refused both times', async ({
    assert,
  }) => {
    const { event, phone, token } = await aTicketAtPhone()
    const id = randomUUID()
    await phone.scan(event.id, token)
    const holding = await db.connection('owner').transaction()
    await holding.rawQuery('LOCK TABLE ticket_scans IN SHARE MODE')
    const both = [0, 1].map(() => outcome(phone.scan(event.id, token, { id })))
    await untilSomebodyWaits(2)
    await holding.rollback()
    assert.deepEqual(await Promise.all(both), ['TICKET_ALREADY_USED', 'TICKET_ALREADY_USED'])
    assert.lengthOf(await scansOf(event.id), 2)
  })

  test('a number with a wrong check code says nothing about its event', async ({ assert }) => {
    const { phone, ticket } = await aTicketAtPhone()
    const other = await anEvent()
    const scan = phone.scan(other.id, { number: ticket.number, code: 'AAAA' })
    assert.equal(await outcome(scan), 'CHECK_CODE_WRONG')
  })

  test('a repeated refused scan is refused although the ticket would be admitted by now', async ({
    assert,
  }) => {
    const { event, phone, token } = await aTicketAtPhone()
    const moveEnd = (by: string) =>
      rows(
        `UPDATE events SET starts_at = now() - interval '3 hours', ends_at = now() + $2::interval WHERE id = $1`,
        [event.id, by]
      )
    const id = randomUUID()
    await moveEnd('-1 minute')
    assert.equal(await outcome(phone.scan(event.id, token, { id })), 'TICKET_EXPIRED')
    await moveEnd('1 hour')
    assert.equal(await outcome(phone.scan(event.id, token, { id })), 'TICKET_EXPIRED')
    assert.equal(await outcome(phone.scan(event.id, token)), 'admitted')
  })

  test('an offline scan keeps its own time along with the server’s', async ({ assert }) => {
    const { event, phone, ticket, token, order } = await aTicketAtPhone()
    await rows(`UPDATE tickets SET issued_at = now() - interval '1 day' WHERE id = $1`, [
      ticket.ticket_id,
    ])
    const offlineAt = new Date(Date.now() - 10 * MINUTE_MS)

    await phone.scan(event.id, token, { offlineAt })

    const [scan] = await scansOf(event.id)
    assert.deepEqual(scan.offline_at, offlineAt)
    assert.isAbove(scan.scanned_at.getTime(), offlineAt.getTime() + 9 * MINUTE_MS)
    const stored = await ticketRow(ticket.ticket_id)
    assert.deepEqual(stored.used_at, offlineAt)
    const [entry] = await admissions(order.order_id)
    assert.equal(entry.change.offline_at, offlineAt.toISOString())
  })

  test('a phone clock far ahead or behind gives no impossible time', async ({ assert }) => {
    const { event, phone, ticket, token, client } = await aTicketAtPhone()
    const order = await sell(client, event.id, ['seat-1-2'])
    const second = order.tickets[0]

    await phone.scan(event.id, token, { offlineAt: new Date(Date.now() + 60 * MINUTE_MS) })
    const shown = { token: second.qr_token as string }
    await phone.scan(event.id, shown, { offlineAt: new Date('2001-01-01T00:00:00Z') })

    const [ahead, behind] = await Promise.all([
      ticketRow(ticket.ticket_id),
      ticketRow(second.ticket_id),
    ])
    assert.isAtMost(ahead.used_at.getTime(), Date.now() + 1_000)
    assert.deepEqual(behind.used_at, behind.issued_at)
  })

  test('a phone clock ahead of the end does not expire a ticket before it', async ({ assert }) => {
    const { event, phone, token } = await aTicketAtPhone()
    await rows(
      `UPDATE events SET starts_at = now() - interval '3 hours', ends_at = now() + interval '30 minutes' WHERE id = $1`,
      [event.id]
    )
    const offlineAt = new Date(Date.now() + 60 * MINUTE_MS)
    assert.equal(await outcome(phone.scan(event.id, token, { offlineAt })), 'admitted')
  })

  test('a guest admitted offline before the end and uploaded after it stays admitted', async ({
    assert,
  }) => {
    const { event, phone, token } = await aTicketAtPhone()
    await rows(
      `UPDATE events SET starts_at = now() - interval '3 hours', ends_at = now() - interval '1 minute' WHERE id = $1`,
      [event.id]
    )
    assert.equal(await outcome(phone.scan(event.id, token)), 'TICKET_EXPIRED')
    const offlineAt = new Date(Date.now() - 5 * MINUTE_MS)
    assert.equal(await outcome(phone.scan(event.id, token, { offlineAt })), 'admitted')
  })

  test('a guest admitted offline before the end and uploaded after the sweep stays admitted', async ({
    assert,
  }) => {
    const { event, phone, token, ticket, order } = await aTicketAtPhone()
    await rows(`UPDATE tickets SET issued_at = now() - interval '1 day' WHERE id = $1`, [
      ticket.ticket_id,
    ])
    await rows(
      `UPDATE events SET starts_at = now() - interval '3 hours', ends_at = now() - interval '1 minute' WHERE id = $1`,
      [event.id]
    )
    await expireTickets()
    const swept = await ticketRow(ticket.ticket_id)
    assert.equal(swept.status, 'expired')
    const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
    const scan = (offlineAt: Date | null) => outcome(phone.scan(event.id, token, { offlineAt }))

    assert.equal(await scan(null), 'TICKET_EXPIRED', 'at the gate, after the end')
    assert.equal(await scan(ago(0.5)), 'TICKET_EXPIRED', 'without network, after the end')
    assert.equal(await scan(ago(-600)), 'TICKET_EXPIRED', 'by a clock that runs ahead')
    assert.equal(await scan(ago(5)), 'admitted')
    assert.equal(await scan(ago(4)), 'TICKET_ALREADY_USED')

    const used = await ticketRow(ticket.ticket_id)
    assert.equal(used.status, 'used')
    assert.closeTo(used.used_at.getTime(), ago(5).getTime(), 5_000)
    assert.lengthOf(await admissions(order.order_id), 1)
    await expireTickets()
    const after = await ticketRow(ticket.ticket_id)
    assert.equal(after.status, 'used', 'the next sweep leaves it')
  })

  test('an offline admission of a ticket used elsewhere or refunded meanwhile is refused and recorded', async ({
    assert,
  }) => {
    const { event, phone, token, order, client } = await aTicketAtPhone()
    const other = await aPhone('Bolat')
    const second = await sell(client, event.id, ['seat-1-2'])
    const refunded = second.tickets[0]
    const offlineAt = new Date(Date.now() - 1_000)
    await other.scan(event.id, token)
    await client.post(`/orders/${second.order_id}/refund`, {
      ticket_ids: [refunded.ticket_id],
      reason: 'ill',
    })

    assert.equal(await outcome(phone.scan(event.id, token, { offlineAt })), 'TICKET_ALREADY_USED')
    const late = phone.scan(event.id, { token: refunded.qr_token }, { offlineAt })
    assert.equal(await outcome(late), 'TICKET_VOID')

    const seen = await scansOf(event.id)
    assert.deepEqual(
      seen.map(({ verdict, staff_id: by }) => [verdict, by]),
      [
        ['admitted', other.staffId],
        ['TICKET_ALREADY_USED', phone.staffId],
        ['TICKET_VOID', phone.staffId],
      ]
    )
    assert.equal(seen[1].details.gate, 'Bolat')
    assert.lengthOf(await admissions(order.order_id), 1)
  })

  test('a guest refused offline is not admitted afterwards', async ({ assert }) => {
    const { event, phone, ticket, token } = await aTicketAtPhone()
    const refusedOffline: RefusalCode = 'TICKET_EXPIRED'

    const answer = phone.scan(event.id, token, { offlineAt: new Date(), refusedOffline })
    assert.equal(await outcome(answer), refusedOffline)

    const stored = await ticketRow(ticket.ticket_id)
    assert.equal(stored.status, 'active')
    const [scan] = await scansOf(event.id)
    assert.deepEqual([scan.verdict, scan.ticket_id], [refusedOffline, ticket.ticket_id])
  })
})

test.group('AdmitTicket with simultaneous scans', () => {
  test('one ticket on ten phones and two devices admits once', async ({ assert }) => {
    const { event, token, order } = await aTicketAtPhone()
    const phones = await Promise.all(Array.from({ length: 10 }, (_, index) => aPhone(`P${index}`)))
    const gates = await Promise.all([aGate(), aGate()])

    const [byPhones, byGates] = await Promise.all([
      Promise.all(phones.map((phone) => outcome(phone.scan(event.id, token)))),
      Promise.all(gates.map((gate) => gate.scan(event.id, token.token))),
    ])

    const all = [
      ...byPhones,
      ...byGates.map((answer) => (answer.status === 200 ? 'admitted' : answer.error.code)),
    ]
    assert.lengthOf(
      all.filter((one) => one === 'admitted'),
      1
    )
    assert.lengthOf(
      all.filter((one) => one === 'TICKET_ALREADY_USED'),
      11
    )
    assert.lengthOf(await admissions(order.order_id), 1)
    assert.lengthOf(await scansOf(event.id), 12)
  })

  test('one scan uploaded ten times at once counts once and is answered as admitted each time', async ({
    assert,
  }) => {
    const { event, phone, token, order } = await aTicketAtPhone()
    const id = randomUUID()

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => outcome(phone.scan(event.id, token, { id })))
    )

    assert.deepEqual([...new Set(outcomes)], ['admitted'])
    assert.lengthOf(await scansOf(event.id), 1)
    assert.lengthOf(await admissions(order.order_id), 1)
  })
})

test.group('RevokeGateDevice', () => {
  test('a revoked device’s next scan is refused, and the journal has the reason once', async ({
    assert,
  }) => {
    const { event, token } = await aTicketAtPhone()
    const gate = await aGate()
    const [{ id: deviceId }] = await rows('SELECT id FROM gate_devices WHERE name = $1', [
      gate.name,
    ])
    const revoke = () => new RevokeGateDevice().handle({ deviceId, reason: 'Lost', actor: TESTER })

    const outcomes = await Promise.all([outcome(revoke()), outcome(revoke())])

    assert.sameMembers(outcomes, ['admitted', 'NO_SUCH'])
    assert.equal(outcomeOf(await gate.scan(event.id, token.token)), '401 INVALID_GATE_KEY')
    const entries = await rows(
      `SELECT change FROM journal WHERE name = 'gate_device_revoked' AND change ->> 'name' = $1`,
      [gate.name]
    )
    assert.deepEqual(entries, [{ change: { name: gate.name, reason: 'Lost' } }])
    const created = await rows(
      `SELECT actor FROM journal WHERE name = 'gate_device_created' AND change ->> 'name' = $1`,
      [gate.name]
    )
    assert.deepEqual(created, [{ actor: TESTER.name }])
  })
})
