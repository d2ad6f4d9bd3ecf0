import CheckPeriod from '#defects/cases/check_period'
import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import { MOVEMENT_KINDS, ROUNDING_KINDS } from '#ledger/movements'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import type { RawCell } from '#spreadsheets/read_table'
import type { TestPartner } from '#tests/support/fixtures'
import { withoutZeros } from '#tests/support/register_defects'
import { one } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import {
  ScriptedMonth,
  sellWell,
  STORIES,
  type ExpectedCase,
  type Story,
} from '#tests/support/scripted_month'
import { dataIn, readSheet } from '#tests/support/settlement_workbook'
import app from '@adonisjs/core/services/app'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'

const DAY_MS = 86_400_000
/** Texts of a case's story, by defect. */
const { case_story: STORY_TEXTS } = JSON.parse(
  await readFile(app.makePath('resources/lang/ru/cases.json'), 'utf8')
) as { case_story: Record<string, string> }

/** From orders, seats and tickets; the ledger is what has to agree with it. Charges are rounded ticket by ticket. */
const SETTLED = `
  WITH bought AS (
    SELECT bs.price_tenge::numeric AS price, round(bs.price_tenge * 0.0750) AS fee, o.id AS order_id
      FROM orders o JOIN booking_seats bs USING (booking_id) WHERE o.partner_id = ? AND o.confirmed_at IS NOT NULL),
  lost AS (
    SELECT t.void_cause, t.price_tenge::numeric AS price, round(t.price_tenge * 0.0750) AS fee
      FROM tickets t JOIN orders o ON o.id = t.order_id WHERE o.partner_id = ? AND t.status = 'void')
  SELECT (SELECT sum(total_tenge) FROM orders WHERE partner_id = ? AND confirmed_at IS NOT NULL) AS sale,
         (SELECT -coalesce(sum(price), 0) FROM lost WHERE void_cause = 'refund') AS refund,
         (SELECT -coalesce(sum(price), 0) FROM lost WHERE void_cause = 'event_cancelled') AS event_cancel,
         (SELECT -coalesce(sum(price), 0) FROM lost WHERE void_cause = 'platform') AS platform_void,
         (SELECT -sum(fee) FROM bought) AS commission, (SELECT sum(fee) FROM lost) AS commission_reversal,
         (SELECT -sum(round(fee * 0.16)) FROM bought) AS vat, (SELECT sum(round(fee * 0.16)) FROM lost) AS vat_reversal,
         0 AS adj_debit, 0 AS adj_credit, 0 AS penalty, 0 AS payment,
         (SELECT count(*) FROM orders WHERE partner_id = ? AND confirmed_at IS NOT NULL) AS sales,
         (SELECT count(*) FROM bought) AS sold_tickets,
         (SELECT count(*) FROM lost) AS lost_tickets,
         (SELECT coalesce(sum(total_tenge), 0) FROM orders
           WHERE partner_id = ? AND stored_status = 'pending' AND window_ends_at > clock_timestamp()) AS pending,
         (SELECT count(*) FROM orders
           WHERE partner_id = ? AND stored_status = 'pending' AND window_ends_at > clock_timestamp()) AS pending_orders`

async function settled({ id }: TestPartner): Promise<Record<string, number>> {
  const found = await one(SETTLED, ...Array.from({ length: 6 }, () => id))
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Number(value)]))
}

type ProducedStories = { story: Story; expected: ExpectedCase }[]
type Row = Record<string, RawCell>

/** Each story is one case, with the defects and the money that it has to have. */
function assertCases(assert: Assert, produced: ProducedStories, defects: Row[]) {
  for (const { story, expected } of produced) {
    const orders = new Set(expected.defects.map(({ orderId }) => orderId))
    const rows = defects.filter(({ orderId }) => orders.has(String(orderId)))
    for (const { code, subclass, deviation } of rows)
      if ((STORY_TEXTS[`${code}__${subclass}`] ?? STORY_TEXTS[String(code)])?.includes('{time}'))
        assert.isNumber(deviation, `${story.name}: ${code} has a deviation in time`)
    for (const { code, subclass, severity, orderId } of expected.defects) {
      const row = rows.find((found) => found.code === code && found.orderId === orderId)
      const found = rows.map((each) => [each.code, each.subclass])
      assert.exists(row, `${story.name}: ${code} among ${JSON.stringify(found)}`)
      const name = WORDS.ru.defects[code as keyof typeof WORDS.ru.defects]
      assert.deepInclude(row, { severity, name, ...(subclass && { subclass }) }, story.name)
    }
    assert.lengthOf(new Set(rows.map(({ caseId }) => caseId)), 1, story.name)
    const ofCase = defects.filter(({ caseId }) => caseId === rows[0].caseId)
    const total = (column: string) => sum(ofCase.map((row) => Number(row[column])))
    const exposure = {
      buyer: total('buyerExposure'),
      platform: total('platformExposure'),
      partner: total('partnerExposure'),
    }
    assert.deepEqual(withoutZeros(exposure), expected.exposure, story.name)
    assert.equal(total('exposure'), sum(Object.values(exposure)), story.name)
  }
}

/** Compares every sum of «Сводка» with orders, tickets and stories. */
function assertSummary(
  assert: Assert,
  lines: RawCell[][],
  due: Record<string, number>,
  produced: ProducedStories
) {
  const line = (name: string) => lines.find(([first]) => first === name)!
  const { kinds } = WORDS.ru
  const roundings = MOVEMENT_KINDS.filter((kind) => !(kind in due))
  assert.deepEqual(roundings, ROUNDING_KINDS)
  // All shares of this month are whole tenge.
  for (const kind of roundings) assert.isUndefined(line(kinds[kind]), kind)
  const moved = MOVEMENT_KINDS.filter((kind) => kind in due)
  for (const kind of moved) assert.equal(line(kinds[kind])[3], due[kind], kind)
  assert.deepEqual(line(kinds.sale).slice(1, 3), [due.sales, due.sold_tickets])
  const lost = (['refund', 'event_cancel', 'platform_void'] as const).map((kind) =>
    line(kinds[kind])
  )
  assert.equal(sum(lost.map(([, , tickets]) => Number(tickets))), due.lost_tickets)
  const whole = sum(moved.map((kind) => due[kind]))
  const { opening, turnover, closing, pending, altogether } = WORDS.ru
  assert.deepEqual(
    [opening, turnover, closing].map((name) => line(name)[3]),
    [0, whole, whole]
  )
  assert.deepEqual([line(pending)[1], line(pending)[3]], [due.pending_orders, due.pending])
  const atRisk = EXPOSED_PARTIES.map((party) =>
    sum(produced.map(({ expected }) => expected.exposure[party] ?? 0))
  )
  assert.deepEqual(line(altogether).slice(3, 6), atRisk)
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

test.group('Workbook of a scripted month', (group) => {
  const scratch = scratchDirectory(group)

  test('each mistake is one case, its sums are right, and a second workbook is the same', async ({
    assert,
  }) => {
    const month = await ScriptedMonth.begin()
    const { partner } = month.sale
    const good = await sellWell(month)
    const produced: ProducedStories = []
    for (const story of STORIES) produced.push({ story, expected: await story.produce(month) })
    const scope = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) }
    await new CheckPeriod().handle({ partnerId: partner.id, ...scope })
    const write = (name: string) =>
      writeSettlementWorkbook({
        partnerCode: partner.code,
        scope,
        path: scratch.at(name),
        language: 'ru',
      })

    const { path, fixedDataSha256 } = await write('first.xlsx')
    const defects = await dataIn(path, 'defects')

    assertCases(assert, produced, defects)
    assert.deepEqual(
      defects.filter(({ orderId }) => good.includes(String(orderId))),
      []
    )
    assertSummary(assert, await readSheet(path, 'summary'), await settled(partner), produced)
    const again = await write('again.xlsx')
    assert.equal(again.fixedDataSha256, fixedDataSha256)
  }).timeout(180_000)
})
