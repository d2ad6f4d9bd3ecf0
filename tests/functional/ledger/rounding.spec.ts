import IssueStatement from '#ledger/actions/issue_statement'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import type { Totals } from '#ledger/movements'
import { findBreaches } from '#ledger/queries/find_breaches'
import { findStatement } from '#ledger/queries/find_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { checkWorkbook } from '#returned_workbooks/check/check_workbook'
import { findScope } from '#workbooks/document/find_scope'
import { readDocument } from '#workbooks/document/read_document'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { allowLongWrites } from '#shared/long_queries'
import { transaction } from '#shared/transaction'
import { aPartner, aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { midnight } from '#tests/support/registers'
import { ownerRows, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'
import fc from 'fast-check'

type Rounding = 'half_up' | 'down'

const issue = async ({ code }: TestPartner) => {
  const { statementId } = await new IssueStatement().handle({ partnerCode: code, actor: TESTER })
  return findStatement(statementId)
}
const byForce = (sql: string, ...values: unknown[]) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`,
    ...values
  )
/** Moves everything that is in no statement to the 15th of a month that is so many months ago. */
const moveToMonth = (partner: TestPartner, monthsAgo: number) => {
  const now = new Date()
  const noon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 15, 7)
  return moveInTime(partner, `-${Math.floor((now.getTime() - noon) / 1000)} seconds`)
}
const commissionOf = (totals: Totals) =>
  totals.commission.tenge + totals.commission_reversal.tenge + totals.commission_rounding.tenge
const vatOf = (totals: Totals) =>
  totals.vat.tenge + totals.vat_reversal.tenge + totals.vat_rounding.tenge

/** A share by the definition: half a tenge goes up or is dropped. */
const shareOf = (tenge: bigint, bp: number, rounding: Rounding) =>
  (tenge * BigInt(bp) + (rounding === 'half_up' ? 5_000n : 0n)) / 10_000n

/** Open sales of one ticket each, charged ticket by ticket as the trigger does. */
const insertSales = (
  partner: TestPartner,
  {
    prefix,
    count,
    price,
    termsId,
  }: Record<'count' | 'price' | 'termsId', number> & { prefix: string }
) =>
  transaction(async (trx) => {
    await allowLongWrites(trx)
    await trx.rawQuery(
      `WITH agreed AS (SELECT * FROM settlement_terms WHERE id = ?),
          sale AS (SELECT ? || n AS id, share_of(?::bigint, commission_bp, rounding) AS commission FROM generate_series(1, ?) n, agreed)
     INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp, effective_at)
     SELECT ?, m.kind, m.amount, m.tickets, sale.id, 'evt', sale.id, agreed.id, m.rate, now() - interval '40 days'
       FROM sale, agreed, LATERAL (VALUES ('sale', ?::bigint, 1, NULL), ('commission', -sale.commission, 0, agreed.commission_bp),
            ('vat', -share_of(sale.commission, agreed.vat_bp, agreed.rounding), 0, agreed.vat_bp)) m (kind, amount, tickets, rate)
      WHERE m.amount <> 0`,
      [termsId, prefix, price, count, partner.id, price]
    )
  })

test.group('Rounding', (group) => {
  const scratch = scratchDirectory(group)

  test('100,000 tickets of 1,990 at 5 % give 9,950,000 and one line of rounding', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const { termsId } = await setTerms(partner, { commissionBp: 500, vatBp: 0 })
    await insertSales(partner, { prefix: 'many-', count: 100_000, price: 1_990, termsId: termsId! })
    const { totals, lines } = (await previewPeriod(partner.id))!
    assert.equal(totals.commission.tenge, -10_000_000n)
    assert.deepEqual(totals.commission_rounding, { movements: 1, tickets: 0, tenge: 50_000n })
    assert.equal(commissionOf(totals), -9_950_000n)
    assert.equal(lines, 200_001)
  })

  for (const [rounding, count, charged, corrected] of [
    ['half_up', 1, -1n, 0n],
    ['half_up', 2, -2n, 1n],
    ['half_up', 3, -3n, 1n],
    ['down', 1, 0n, 0n],
    ['down', 2, 0n, -1n],
    ['down', 3, 0n, -1n],
  ] as const)
    test(`half a tenge of commission for each of ${count} tickets is rounded for all at once, ${rounding}`, async ({
      assert,
    }) => {
      const partner = await aPartner()
      const { termsId } = await setTerms(partner, { commissionBp: 500, vatBp: 0, rounding })
      await insertSales(partner, {
        prefix: `half-${partner.id}-`,
        count,
        price: 10,
        termsId: termsId!,
      })
      const { totals } = (await previewPeriod(partner.id))!
      assert.equal(totals.commission.tenge, charged)
      assert.equal(totals.commission_rounding.tenge, corrected)
      assert.equal(-commissionOf(totals), shareOf(BigInt(10 * count), 500, rounding))
    })

  test('each rate of a period with changed terms is rounded by itself', async ({ assert }) => {
    const partner = await aPartner()
    const { termsId: first } = await setTerms(partner, { commissionBp: 500, vatBp: 1_200 })
    const { termsId: second } = await setTerms(partner, {
      commissionBp: 750,
      vatBp: 1_600,
      validFrom: midnight(1),
    })
    const { termsId: same } = await setTerms(partner, {
      commissionBp: 500,
      vatBp: 1_200,
      validFrom: midnight(2),
    })
    for (const [at, termsId] of [first, second, same].entries())
      await insertSales(partner, {
        prefix: `r${partner.id}-${at}-`,
        count: 3,
        price: 1_990,
        termsId: termsId!,
      })
    const { totals } = (await previewPeriod(partner.id))!
    // 6 × 1,990 at 5 % = 597, VAT 71.64; 3 × 1,990 at 7.5 % = 447.75, VAT of 448 at 16 % = 71.68.
    assert.equal(-commissionOf(totals), 597n + 448n)
    assert.equal(-vatOf(totals), 72n + 72n)
    // Ticket by ticket it was 6 × 100 + 3 × 149 and 6 × 12 + 3 × 24.
    assert.equal(totals.commission_rounding.movements, 2)
    assert.equal(-totals.commission.tenge, 1_047n)
  })

  test('any sales and refunds in three months give the rounded share of what is still sold at each rate', async ({
    assert,
  }) => {
    const prices = fc.record({
      standard: fc.integer({ min: 1, max: 9_999 }),
      vip: fc.integer({ min: 1, max: 99_999 }),
    })
    const month = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 4 })
    const story = fc.record({
      prices,
      commissionBp: fc.integer({ min: 1, max: 3_000 }),
      vatBp: fc.constantFrom(0, 1_200, 1_600),
      rounding: fc.constantFrom<Rounding>('half_up', 'down'),
      months: fc.tuple(month, month, month),
    })
    await fc.assert(
      fc.asyncProperty(story, async ({ prices: each, commissionBp, vatBp, rounding, months }) => {
        const { client, event, partner } = await aSale({
          event: { prices: { standard: BigInt(each.standard), vip: BigInt(each.vip) } },
        })
        await setTerms(partner, { commissionBp, vatBp, rounding })
        const free = [
          'seat-1-1',
          'seat-1-2',
          ...Array.from({ length: 6 }, (_, at) => `seat-2-${at + 1}`),
        ]
        interface Sold {
          orderId: string
          ticketId: string
          price: bigint
          month: number
        }
        let live: Sold[] = []
        let sum = 0n
        /** What is still sold of each month's sales. */
        const remaining = [0n, 0n, 0n, 0n]
        const keptOf = (tenge: bigint) => {
          const commission = shareOf(tenge, commissionBp, rounding)
          return { commission, vat: shareOf(commission, vatBp, rounding) }
        }
        const give = async (given: Sold) => {
          await refund(client, given.orderId, [given.ticketId])
          live = live.filter((other) => other !== given)
          remaining[given.month] -= given.price
        }
        // The last month gives everything back.
        for (const [at, steps] of [...months, null].entries()) {
          const before = remaining.map(keptOf)
          if (at === 0) {
            const first = free.shift()!
            const { order_id: orderId, tickets } = await sell(client, event.id, [first])
            const price = BigInt(tickets[0].price_tenge as number)
            live.push({ orderId, ticketId: tickets[0].ticket_id as string, price, month: at })
            remaining[at] += price
          }
          for (const [pick, isSale] of steps ?? []) {
            const seat = free[pick % Math.max(free.length, 1)]
            if (isSale && seat) {
              free.splice(free.indexOf(seat), 1)
              const { order_id: orderId, tickets } = await sell(client, event.id, [seat])
              const price = BigInt(tickets[0].price_tenge as number)
              live.push({ orderId, ticketId: tickets[0].ticket_id as string, price, month: at })
              remaining[at] += price
            } else if (live.length > 0) await give(live[pick % live.length])
          }
          if (!steps) for (const sold of live) await give(sold)
          await moveToMonth(partner, 5 - at)
          const draft = (await previewPeriod(partner.id))!
          const statement = await issue(partner)
          assert.deepEqual(statement.totals, draft.totals)
          assert.deepEqual(
            [statement.lines, statement.closingTenge],
            [draft.lines, draft.closingTenge]
          )
          const after = remaining.map(keptOf)
          const due = (kind: 'commission' | 'vat') =>
            after.reduce((total, kept, index) => total + before[index][kind] - kept[kind], 0n)
          assert.equal(commissionOf(statement.totals), due('commission'))
          assert.equal(vatOf(statement.totals), due('vat'))
          if (at === 0)
            assert.equal(
              -commissionOf(statement.totals),
              shareOf(remaining[0], commissionBp, rounding)
            )
          assert.deepEqual(await verifyStatement(statement), [])
          sum += commissionOf(statement.totals) + vatOf(statement.totals)
        }
        assert.equal(sum, 0n)
        const issuedNow = {
          partnerId: partner.id,
          from: new Date(Date.now() - 600_000),
          to: new Date(),
        }
        assert.deepEqual(await findBreaches(issuedNow), [])
      }),
      { numRuns: 12 }
    )
  }).timeout(180_000)

  /** Two tickets of 1,990 at 5 %: each charged 100, together 199. */
  async function twoTickets() {
    const { client, event, partner } = await aSale({ event: { prices: { standard: 1_990n } } })
    await setTerms(partner, { commissionBp: 500, vatBp: 0 })
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    const give = (at: number) =>
      refund(client, sold.order_id, [sold.tickets[at].ticket_id as string])
    return { partner, give }
  }

  test('returns of sales that were settled by ticket are taken back by ticket', async ({
    assert,
  }) => {
    const { partner, give } = await twoTickets()
    await moveToMonth(partner, 3)
    const old = await issue(partner)
    // As if it had been issued before the rule.
    await byForce(`DELETE FROM settlement_rounded_sales USING free WHERE statement_id = ?`, old.id)
    await give(0)
    await moveToMonth(partner, 2)
    const next = await issue(partner)
    assert.equal(next.totals.commission_reversal.tenge, 100n)
    assert.equal(next.totals.commission_rounding.movements, 0)
  })

  test('a withdrawn statement keeps its line of rounding, and its replacement has one of its own', async ({
    assert,
  }) => {
    const { partner } = await twoTickets()
    await moveToMonth(partner, 2)
    const first = await issue(partner)
    assert.equal(first.totals.commission_rounding.tenge, 1n)
    const path = scratch.at('withdrawn.xlsx')
    const asked = { partnerCode: partner.code, path, language: 'ru' } as const
    await writeSettlementWorkbook({ ...asked, scope: { statementId: first.id } })
    await new SupersedeStatement().handle({
      statementId: first.id,
      reason: 'Не тот договор',
      actor: TESTER,
    })
    const again = await issue(partner)
    assert.deepEqual(again.totals, first.totals)
    const written = await rows(
      `SELECT statement_id AS id FROM ledger_movements WHERE partner_id = ? AND kind = 'commission_rounding' ORDER BY id`,
      partner.id
    )
    assert.deepEqual(written, [{ id: first.id }, { id: again.id }])
    for (const { id } of [first, again])
      assert.deepEqual(await verifyStatement(await findStatement(id)), [])
    assert.deepInclude(await checkWorkbook(path), {
      verdict: 'superseded',
      by: { kind: 'replaced', statements: [{ id: again.id, number: again.number }] },
    })
  }).timeout(30_000)

  test('a return is rounded again as before when its statement is withdrawn and issued again', async ({
    assert,
  }) => {
    const { partner, give } = await twoTickets()
    await moveToMonth(partner, 3)
    await issue(partner)
    await give(0)
    await moveToMonth(partner, 2)
    const { id, totals } = await issue(partner)
    assert.equal(commissionOf(totals), 99n)
    await new SupersedeStatement().handle({
      statementId: id,
      reason: 'Ошибка',
      actor: TESTER,
    })
    const again = await issue(partner)
    assert.deepEqual(again.totals, totals)
  })

  test('the draft workbook has the lines of rounding that its statement will have', async ({
    assert,
  }) => {
    const { partner } = await twoTickets()
    await moveToMonth(partner, 2)
    const { from, to } = (await previewPeriod(partner.id))!
    const documentOf = async (scope: { statementId: number } | { from: Date; to: Date }) => {
      const found = await findScope(partner.code, scope, 'ru')
      return transaction((trx) => readDocument(found, trx, { rowsPerSheet: 100 }))
    }
    const draft = await documentOf({ from, to })
    const statement = await issue(partner)
    const issued = await documentOf({ statementId: statement.id })
    assert.deepEqual(draft.totals, issued.totals)
    assert.deepEqual(draft.sheets, issued.sheets)
    assert.equal(issued.totals.commission_rounding.tenge, 1n)
    const part = await documentOf({ from, to: new Date(to.getTime() - 86_400_000) })
    assert.equal(part.totals.commission_rounding.movements, 0)
  })

  test('a line of rounding that is missing, added or wrong is found', async ({ assert }) => {
    const { partner } = await twoTickets()
    await moveToMonth(partner, 2)
    const { id } = await issue(partner)
    const look = async () => {
      const scope = { partnerId: partner.id, from: new Date(Date.now() - 600_000), to: new Date() }
      const found = await findBreaches(scope)
      return found.map(({ code, subject }) => `${code} ${subject}`)
    }
    assert.deepEqual(await look(), [])
    const where = `WHERE statement_id = ${id} AND kind = 'commission_rounding'`
    const wrong = [`ROUNDING_WRONG statement:${id}`]
    for (const [spoil, mend] of [
      ['amount_tenge = 2', 'amount_tenge = 1'],
      [`kind = 'vat_rounding'`, null],
    ]) {
      await byForce(`UPDATE ledger_movements SET ${spoil} FROM free ${where}`)
      assert.deepEqual(await look(), wrong, spoil!)
      if (mend) await byForce(`UPDATE ledger_movements SET ${mend} FROM free ${where}`)
    }
    await byForce(
      `UPDATE ledger_movements SET kind = 'commission_rounding' FROM free WHERE statement_id = ${id} AND kind = 'vat_rounding'`
    )
    assert.deepEqual(await look(), [])
    const changeRemaining = (by: number) =>
      byForce(
        `UPDATE settlement_rounded_sales SET remaining_tenge = remaining_tenge + ${by} FROM free WHERE statement_id = ${id}`
      )
    await changeRemaining(1)
    assert.deepEqual(await look(), wrong)
    await changeRemaining(-1)
    await byForce(`DELETE FROM ledger_movements USING free ${where}`)
    assert.deepEqual(await look(), wrong)
  })
})
