import ChangeGrants from '#partners/actions/change_grants'
import type { Refusal } from '#shared/refusals'
import { untilSomebodyWaits } from '#tests/functional/races/support/gate_hold'
import { dataOf } from '#tests/support/answers'
import {
  anEvent,
  aPartner,
  aSale,
  book,
  order,
  paymentOf,
  TESTER,
  type TestPartner,
} from '#tests/support/fixtures'
import { ownerRows, rows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

type Cell = [TestPartner, { id: string }]
const change = (access: 'active' | 'revoked', cells: Cell[]) =>
  new ChangeGrants().handle({
    grants: cells.map(([{ code }, { id }]) => ({ partnerCode: code, eventId: id })),
    access,
    reason: 'season',
    actor: TESTER,
  })
const accessOf = async (cells: Cell[]) => {
  const found = await rows(
    'SELECT partner_id, event_id, access FROM event_grants WHERE event_id = ANY(?)',
    cells.map(([, { id }]) => id)
  )
  return cells.map(
    ([partner, event]) =>
      found.find((row) => row.partner_id === partner.id && row.event_id === event.id)?.access
  )
}
const entriesOf = (partner: TestPartner) =>
  rows(`SELECT name, change FROM journal WHERE partner_id = ? AND name LIKE 'grant%'`, partner.id)

async function aSquare() {
  const partners = [await aPartner(), await aPartner()]
  const events = [await anEvent(), await anEvent()]
  const cells = partners.flatMap((partner) => events.map((event): Cell => [partner, event]))
  return { partners, cells }
}

test.group('ChangeGrants', () => {
  test('gives grants for several partners and events, and records each in the journal', async ({
    assert,
  }) => {
    const { partners, cells } = await aSquare()
    assert.deepEqual(await change('active', [...cells, cells[0]]), { changed: 4 })
    assert.deepEqual(await accessOf(cells), Array(4).fill('active'))
    const entry = { name: 'grant_given', change: { reason: 'season' } }
    for (const partner of partners) assert.deepEqual(await entriesOf(partner), [entry, entry])
    assert.deepEqual(await change('active', cells), { changed: 0 })
    assert.lengthOf(await entriesOf(partners[0]), 2)
  })

  test('revokes existing grants and makes no rows for others', async ({ assert }) => {
    const { partners, cells } = await aSquare()
    await change('active', [cells[0]])
    assert.deepEqual(await change('revoked', cells), { changed: 1 })
    assert.deepEqual(await accessOf(cells), ['revoked', undefined, undefined, undefined])
    assert.isEmpty(await entriesOf(partners[1]))
  })

  test('a pending order can be confirmed after its grant is revoked', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    const placed = dataOf(await order(client, booking.booking_id))
    await change('revoked', [[partner, event]])
    const paid = await client.post(
      `/orders/${placed.order_id}/confirm`,
      paymentOf(placed.total_tenge)
    )
    assert.equal(paid.status, 200)
    const { error } = await book(client, event.id, ['seat-1-2'])
    assert.equal(error.code, 'ACCESS_DENIED')
  })

  test('one unknown partner or event changes none', async ({ assert }) => {
    const { cells } = await aSquare()
    const [[partner]] = cells
    const wrong: Cell[][] = [
      [...cells, [partner, { id: `evt_${'0'.repeat(26)}` }]],
      [...cells, [{ ...partner, code: 'nobody' }, cells[0][1]]],
    ]
    const codes: string[] = []
    for (const one of wrong) {
      const refusal = await change('active', one).catch((error: Refusal) => error)
      codes.push((refusal as Refusal).refusalCode)
    }
    assert.deepEqual(codes, ['EVENT_NOT_FOUND', 'NO_SUCH'])
    assert.deepEqual(await accessOf(cells), Array(4).fill(undefined))
  })

  test('simultaneous changes of the same grants are applied one after the other', async ({
    assert,
  }) => {
    const { cells } = await aSquare()
    await change('active', cells)
    const turns = Array.from({ length: 8 }, (_, turn) =>
      change(turn % 2 ? 'active' : 'revoked', turn % 3 ? cells : cells.toReversed())
    )
    await Promise.all(turns)
    assert.lengthOf(new Set(await accessOf(cells)), 1)
  })

  test('partners are locked by their codes, in whatever order they were chosen', async ({
    assert,
  }) => {
    const event = await anEvent()
    const partners = [await aPartner(), await aPartner()]
    const [first, second] = partners.toSorted((one, other) => (one.code < other.code ? -1 : 1))
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM partners WHERE id = ? FOR NO KEY UPDATE', [first.id])
    const changed = change('active', [
      [second, event],
      [first, event],
    ])
    await untilSomebodyWaits()
    const unlocked = await ownerRows(
      'SELECT id FROM partners WHERE id = ? FOR NO KEY UPDATE SKIP LOCKED',
      second.id
    )
    await holding.rollback()
    await changed
    assert.lengthOf(unlocked, 1)
  })
})
