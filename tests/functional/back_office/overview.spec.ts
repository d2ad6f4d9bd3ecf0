import { readFigures } from '#back_office/events/event_figures'
import { readSales } from '#back_office/events/event_reach'
import { selectCharged } from '#back_office/overview/attention'
import { readDayFigures } from '#back_office/overview/day_figures'
import { selectNextEvents } from '#back_office/overview/next_events'
import type { Attention, DayFigures, DayTotals } from '#back_office/overview/overview_props'
import { MIDNIGHT } from '#back_office/partners/midnight'
import { previewPeriod } from '#ledger/queries/preview_period'
import { sumNumbers } from '#shared/sums'
import { lateCase, refreshDefects } from '#tests/support/cases'
import { cancelEvent } from '#tests/support/circumstances'
import { aStaffMember } from '#tests/support/browser'
import { anEvent, aSale, paymentOf, sell } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { signedIn } from '#tests/support/page_client'
import { expiredOrderOf } from '#tests/support/register_defects'
import { one, ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'

const differenceOf = (now: DayTotals, before: DayTotals) => ({
  netTenge: now.netTenge - before.netTenge,
  tickets: now.tickets - before.tickets,
  returnedTenge: now.returnedTenge - before.returnedTenge,
})
const orders = ({ hours }: DayFigures) => sumNumbers(hours.today, (hour) => hour.orders)

const midnight = async () => {
  const { at } = await one(`SELECT ${MIDNIGHT} AS at`)
  return (at as Date).getTime()
}

/** Figures before and after something happened; once more if the day has changed meanwhile. */
async function around<Done>(act: () => Promise<Done>) {
  for (;;) {
    const day = await midnight()
    const before = await readDayFigures()
    const done = await act()
    const after = await readDayFigures()
    if ((await midnight()) === day) return { before, done, after }
  }
}

test.group('Figures of the overview', () => {
  test('a day’s sales less what was given back are those of the event and of the statement', async ({
    assert,
  }) => {
    const { before, done, after } = await around(async () => {
      const sale = await aSale()
      const kept = await sell(sale.client, sale.event.id, ['seat-1-1', 'seat-2-1'])
      const returned = await sell(sale.client, sale.event.id, ['seat-2-2', 'seat-2-3'])
      await refund(sale.client, returned.order_id, [returned.tickets[0].ticket_id])
      return { sale, kept }
    })
    const { sale, kept } = done
    assert.equal(kept.total_tenge, 57_000)
    const net = 57_000 + 24_000 - 12_000
    assert.deepEqual(differenceOf(after.today, before.today), {
      netTenge: net,
      tickets: 3,
      returnedTenge: 12_000,
    })
    assert.equal(orders(after) - orders(before), 2)
    const { [sale.event.id]: ofEvent } = await readFigures([sale.event.id])
    assert.equal(ofEvent.soldTenge, net)
    const [ofPartner] = await readSales(sale.event.id)
    assert.equal(ofPartner.soldTenge, net)
    const { totals } = (await previewPeriod(sale.partner.id))!
    assert.equal(Number(totals.sale.tenge + totals.refund.tenge), net)
  })

  test('the sales of a cancelled event are given back, in its own figures, too', async ({
    assert,
  }) => {
    const { before, done, after } = await around(async () => {
      const sale = await aSale()
      await sell(sale.client, sale.event.id, ['seat-2-1'])
      await cancelEvent(sale.event)
      return sale
    })
    assert.deepEqual(differenceOf(after.today, before.today), {
      netTenge: 0,
      tickets: 0,
      returnedTenge: 12_000,
    })
    const { [done.event.id]: ofEvent } = await readFigures([done.event.id])
    assert.equal(ofEvent.soldTenge, 0)
  })

  test('a week ago is compared up to the same time, and shown whole', async ({ assert }) => {
    const moved: Record<string, number> = {
      before: 1_000,
      after: 20_000,
    }
    const { before, after } = await around(async () => {
      const { client, event } = await aSale()
      const sold = await sell(client, event.id, ['seat-2-1'])
      for (const [when, amount] of Object.entries(moved))
        await ownerRows(
          `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
           INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, effective_at)
           SELECT partner_id, kind, ?, 1, source || ?, event_id, order_id,
                  now() - interval '7 days' ${when === 'before' ? '-' : '+'} interval '10 minutes'
             FROM ledger_movements, free WHERE source = ? AND kind = 'sale'`,
          amount,
          when,
          sold.order_id
        )
    })
    const day = await midnight()
    const now = Date.now()
    // At the beginning and end of a day one of them is of another day.
    if (now - day > 900_000) {
      const { netTenge } = differenceOf(after.weekBefore, before.weekBefore)
      assert.equal(netTenge, 1_000)
    }
    if (now - day > 900_000 && now - day < 86_400_000 - 900_000) {
      const whole = ({ hours }: DayFigures) =>
        sumNumbers(hours.weekBefore, ({ netTenge }) => netTenge)
      assert.equal(whole(after) - whole(before), 21_000)
      assert.isAtMost(after.hours.weekBefore.length, 24)
    }
  })

  test('events that start next are listed by their start, without cancelled ones', async ({
    assert,
  }) => {
    const soon = await anEvent()
    const cancelled = await anEvent()
    await cancelEvent(cancelled)
    const inMinutes = (minutes: number, id: string) =>
      ownerRows(
        `UPDATE events SET starts_at = now() + make_interval(mins => ?), ends_at = now() + interval '3 hours' WHERE id = ?`,
        minutes,
        id
      )
    await inMinutes(2, soon.id)
    await inMinutes(1, cancelled.id)
    const next = await selectNextEvents({})
    const ids = next.map(({ id }) => id)
    assert.include(ids, soon.id)
    assert.notInclude(ids, cancelled.id)
    const starts = next.map(({ startsAt }) => new Date(startsAt).getTime())
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => a - b)
    )
    assert.isAtMost(next.length, 5)
  })
})

test.group('Refused payments on the overview', () => {
  test('are one line for each partner and reason, and leave it with their case', async ({
    assert,
  }) => {
    const sale = await aSale()
    const ids: string[] = []
    for (let seat = 1; seat <= 21; seat++) {
      const place = `seat-${1 + Math.ceil(seat / 10)}-${((seat - 1) % 10) + 1}`
      ids.push(await expiredOrderOf(sale, place))
      const payment = paymentOf(12_000)
      await confirm(sale.client, ids.at(-1)!, payment)
      // A repeat is no second payment.
      await confirm(sale.client, ids.at(-1)!, payment)
    }
    const [first] = ids
    await confirm(sale.client, first, paymentOf(5_000))
    const { name } = await one('SELECT name FROM partners WHERE id = ?', sale.partner.id)
    const own = async () => {
      const lines = await selectCharged({})
      return lines.filter(({ partner }) => partner === name)
    }
    const [line, ...others] = await own()
    assert.deepEqual(others, [])
    assert.equal(line.code, 'ORDER_EXPIRED')
    assert.equal(line.count, 21)
    assert.equal(line.tenge, 21 * 12_000 + 5_000)
    assert.deepEqual(
      line.orders.map(({ orderId }) => orderId),
      ids.toReversed().slice(0, 20)
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await own(), [])
  })
})

test.group('What needs a person', () => {
  test('names the partners of open cases to those who may read settlement', async ({ assert }) => {
    await lateCase()
    const unownedFor = async (role: 'finance' | 'support') => {
      const client = await signedIn(await aStaffMember(role))
      const { props } = await client.get('/')
      return (props.attention as Attention[]).find(({ kind }) => kind === 'cases_unowned')!
    }
    const [forFinance, forSupport] = [await unownedFor('finance'), await unownedFor('support')]
    assert.isNotEmpty(forFinance.partners)
    assert.isAbove(forSupport.count, 0)
    assert.notProperty(forSupport, 'partners')
  })
})
