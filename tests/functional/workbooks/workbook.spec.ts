import IssueStatement from '#ledger/actions/issue_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { WORDS, type SheetKey } from '#workbooks/words/words'
import { LANGUAGES } from '#shared/languages'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import type { WriteWorkbookInput } from '#workbooks/writing/workbook_writer'
import { listSheets, readTable, type RawCell } from '#spreadsheets/read_table'
import { dataOf } from '#tests/support/answers'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf, sell, TESTER } from '#tests/support/fixtures'
import { cancel, confirm, refund } from '#tests/support/operations'
import { one, ownerRows, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { dataIn, readSheet } from '#tests/support/settlement_workbook'
import { test } from '@japa/runner'
import { readdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

const DAY_MS = 86_400_000
const HARM = `=cmd|' /C calc'!A0`

const around = () => ({
  from: new Date(Date.now() - DAY_MS),
  to: new Date(Date.now() + DAY_MS),
})

/** Two orders, a ticket given back, a late confirm, and the same payment on a new order. */
async function aStory() {
  const sale = await aSale()
  const { client, event, partner } = sale
  await setTerms(partner, { legalName: HARM })
  await ownerRows('UPDATE partners SET name = ? WHERE id = ?', HARM, partner.id)
  const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
  await sell(client, event.id, ['seat-1-1'])
  await refund(client, sold.order_id, [sold.tickets[0].ticket_id], HARM)
  const place = async (seat: string, more: object = {}) =>
    dataOf(await order(client, dataOf(await book(client, event.id, [seat])).booking_id, more))
  const late = await place('seat-2-3')
  await lapseOrder(late.order_id)
  const payment = paymentOf(12_000)
  for (let times = 0; times < 2; times++) await confirm(client, late.order_id, payment)
  const again = await place('seat-2-3', { partner_order_id: `${HARM}${Date.now()}` })
  await confirm(client, again.order_id, payment)
  return { ...sale, sold, late, again }
}

const total = (lines: Record<string, RawCell>[], key: string) =>
  lines.reduce((sum, line) => sum + Number(line[key]), 0)

test.group('Settlement workbook', (group) => {
  const scratch = scratchDirectory(group)
  const write = (more: Partial<WriteWorkbookInput> & Pick<WriteWorkbookInput, 'partnerCode'>) =>
    writeSettlementWorkbook({
      scope: around(),
      path: scratch.at('book.xlsx'),
      language: 'ru',
      ...more,
    })

  test('every sheet has the totals of SQL, and the cached checks hold', async ({ assert }) => {
    const { partner, late, again, sold } = await aStory()
    const { path, rows: counts, closingTenge } = await write({ partnerCode: partner.code })

    const sums = await rows(
      `SELECT kind, sum(amount_tenge)::int AS tenge FROM ledger_movements WHERE partner_id = ? GROUP BY kind`,
      partner.id
    )
    const of = (...kinds: string[]) =>
      sums.reduce((sum, { kind, tenge }) => sum + (kinds.includes(kind) ? tenge : 0), 0)
    const whole = sums.reduce((sum, { tenge }) => sum + tenge, 0)
    const data = Object.fromEntries(
      await Promise.all(DATA_SHEETS.map(async ({ key }) => [key, await dataIn(path, key)]))
    )
    for (const { key } of DATA_SHEETS) assert.lengthOf(data[key], counts[key], key)
    assert.equal(total(data.movements, 'amount'), whole)
    assert.equal(Number(closingTenge), whole)
    for (const key of ['orders', 'tickets', 'events'])
      assert.equal(total(data[key], 'sold'), of('sale'), key)
    assert.equal(total(data.returns, 'amount'), of('refund'))
    assert.equal(total(data.orders, 'payable'), whole)
    assert.equal(total(data.events, 'payable'), whole)
    assert.equal(total(data.orders, 'commission'), of('commission', 'commission_reversal'))

    const control = await readSheet(path, 'control')
    const checks = control.filter((cells) => typeof cells[3] === 'boolean')
    assert.lengthOf(checks, Object.keys(WORDS.ru.checks).length + DATA_SHEETS.length)
    for (const cells of checks) assert.deepEqual([cells[3], cells[1]], [true, cells[2]])
    const summary = await readSheet(path, 'summary')
    const closing = summary.find(([name]) => name === WORDS.ru.closing)!
    assert.equal(closing[3], whole)
    assert.match(String(summary[0][0]), /^ЧЕРНОВИК/)

    const orderOf = (id: string) => data.orders.find(({ orderId }: any) => orderId === id)
    assert.deepInclude(orderOf(late.order_id), { status: 'expired', expiredAttempts: 2, sold: 0 })
    assert.deepInclude(orderOf(again.order_id), {
      paidBeforeCreated: 1,
      paidBeforeCreatedClass: 'PAYMENT_REUSED',
    })
    assert.deepInclude(orderOf(sold.order_id), {
      status: 'partially_refunded',
      paidBeforeCreated: 0,
    })
    assert.isString(orderOf(again.order_id).caseId)
    assert.isString(orderOf(again.order_id).paymentId)
    assert.lengthOf(data.attempts, 3)
    assert.includeMembers(
      data.defects.map(({ code }: any) => code),
      ['CONFIRM_ORDER_EXPIRED', 'PAID_BEFORE_CREATED']
    )
    for (const { rowCode } of data.defects) assert.match(rowCode, /^[0-9A-F]{16}$/)
  })

  test('names from outside cannot become formulas', async ({ assert }) => {
    const { partner, again } = await aStory()
    const { path } = await write({ partnerCode: partner.code, hasDataCopies: true })
    const orders = await dataIn(path, 'orders')
    const found = orders.find(({ orderId }) => orderId === again.order_id)!
    assert.match(String(found.partnerOrderId), /^'=cmd/)
    const [back] = await dataIn(path, 'returns')
    assert.match(String(back.reason), /^'=cmd/)
    assert.equal(back.voidedBy, 'PARTNER')
    for (const sheet of ['summary', 'act'] as const)
      for (const cells of await readSheet(path, sheet))
        for (const cell of cells) assert.notMatch(String(cell), /^[=+@]/)
  })

  test('the first and the last moment of a day in UTC+5 belong to that day', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    for (const seat of ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4'])
      await sell(client, event.id, [seat])
    const sales = await rows(
      `SELECT id, source FROM ledger_movements WHERE partner_id = ? ORDER BY id`,
      partner.id
    )
    const moments = [
      '2026-03-09T18:59:59.999Z',
      '2026-03-09T19:00:00.000Z',
      '2026-03-10T18:59:59.999Z',
      '2026-03-10T19:00:00.000Z',
    ]
    for (const [index, { id }] of sales.entries())
      await ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE ledger_movements SET effective_at = ? FROM free WHERE id = ?`,
        moments[index],
        id
      )
    const scope = { from: new Date(moments[1]), to: new Date(moments[3]) }
    const { path, openingTenge } = await write({ partnerCode: partner.code, scope })
    const moved = await dataIn(path, 'movements')
    assert.deepEqual(
      moved.map(({ effectiveAt }) => (effectiveAt as Date).toISOString()),
      ['2026-03-10T00:00:00.000Z', '2026-03-10T23:59:59.000Z']
    )
    assert.equal(openingTenge, 12_000n)
  })

  test('an issued statement has its lines, its balance and the same data in every language', async ({
    assert,
  }) => {
    const { partner } = await aStory()
    await moveInTime(partner, '-45 days')
    const { statementId } = await new IssueStatement().handle({
      partnerCode: partner.code,
      actor: TESTER,
    })
    const { partner: other } = await aSale()
    const ofAnother = write({ partnerCode: other.code, scope: { statementId } })
    await assert.rejects(() => ofAnother, /It does not exist/)
    const found = await findStatement(statementId)
    const hashes = new Set<string>()
    const shapes = new Set<string>()
    for (const language of [...LANGUAGES, 'ru'] as const) {
      const written = await write({
        partnerCode: partner.code,
        scope: { statementId },
        language,
      })
      hashes.add(written.fixedDataSha256)
      assert.equal(written.closingTenge, found.closingTenge)
      assert.equal(written.rows.movements, found.lines)
      const known = Object.keys(WORDS.ru.sheets) as SheetKey[]
      // That one wants a register of the partner.
      const sheets = known.filter((key) => key !== 'register')
      const names = sheets.map((key) => WORDS[language].sheets[key])
      assert.deepEqual(await listSheets(written.path), names)
      const sizes = sheets.map((key) => readSheet(written.path, key, language))
      const read = await Promise.all(sizes)
      shapes.add(String(read.map((lines) => lines.length)))
      const control = await readSheet(written.path, 'control', language)
      assert.includeMembers(control.flat(), [written.fixedDataSha256, found.statementSha256])
    }
    assert.equal(hashes.size, 1)
    assert.equal(shapes.size, 1)
  })

  test('an order pending at the cut-off stays pending, whatever happened afterwards', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const place = async (seat: string) =>
      dataOf(await order(client, dataOf(await book(client, event.id, [seat])).booking_id))
    const [paid, cancelled, expired, over] = [
      await place('seat-2-1'),
      await place('seat-2-2'),
      await place('seat-2-3'),
      await place('seat-2-4'),
    ]
    await cancel(client, over.order_id)
    const to = await one(`SELECT clock_timestamp() + interval '1 millisecond' AS at`)
    const scope = { from: around().from, to: to.at as Date }
    const waiting = async () => {
      const { path } = await write({ partnerCode: partner.code, scope })
      const lines = await readSheet(path, 'summary')
      return lines.find(([name]) => name === WORDS.ru.pending)
    }
    await setTimeout(10)
    const before = await waiting()
    assert.includeMembers(before!, [3, 36_000])
    await confirm(client, paid.order_id, paymentOf(12_000))
    await cancel(client, cancelled.order_id)
    await ownerRows(`UPDATE orders SET stored_status = 'expired' WHERE id = ?`, expired.order_id)
    assert.deepEqual(await waiting(), before)
  })

  test('CSV and JSONL files hold the same rows', async ({ assert }) => {
    const { partner } = await aStory()
    const { dataCopies, rows: counts } = await write({
      partnerCode: partner.code,
      hasDataCopies: true,
    })
    assert.deepEqual(
      dataCopies.map(({ rows: count }) => count),
      ['movements', 'orders', 'defects'].flatMap((key) => [counts[key], counts[key]])
    )
    const csv = dataCopies.find(({ path }) => path.endsWith('_orders.csv'))!
    let lines = 0
    const table = await readTable(csv.path)
    for await (const { cells } of table.rows) if (cells.length > 0) lines++
    // The names for programs and the headings.
    assert.equal(lines, counts.orders + 2)
  })

  test('contains nothing of another partner', async ({ assert }) => {
    const [mine, other] = [await aStory(), await aStory()]
    const { path } = await write({ partnerCode: mine.partner.code })
    const all = await Promise.all(DATA_SHEETS.map(({ key }) => readSheet(path, key)))
    const text = JSON.stringify(all)
    assert.include(text, mine.sold.order_id)
    for (const { order_id: id } of [other.sold, other.late, other.again])
      assert.notInclude(text, id)
    const { movements } = await one(
      `SELECT count(*)::int AS movements FROM ledger_movements WHERE partner_id = ?`,
      mine.partner.id
    )
    assert.lengthOf(await dataIn(path, 'movements'), movements)
  })

  test('a failed or aborted workbook leaves no file', async ({ assert }) => {
    const { partner } = await aStory()
    const partnerCode = partner.code
    const nowhere = scratch.at('no/such/place.xlsx')
    await assert.rejects(() => write({ partnerCode, path: nowhere, hasDataCopies: true }), /ENOENT/)
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('enough'))
    const asked = { partnerCode, signal: stop.signal, onProgress, hasDataCopies: true }
    await assert.rejects(() => write(asked), 'enough')
    assert.deepEqual(await readdir(scratch.path), [])
  })
})
