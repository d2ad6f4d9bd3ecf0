import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import { RequestMemo } from '#ledger/actions/memos'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { checkWorkbook } from '#returned_workbooks/check/check_workbook'
import { findScope } from '#workbooks/document/find_scope'
import { readDocument } from '#workbooks/document/read_document'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { WORDS } from '#workbooks/words/words'
import { readTable } from '#spreadsheets/read_table'
import type { Refusal } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { aPerson, aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { midnight } from '#tests/support/registers'
import { one, ownerRows, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const issue = async ({ code }: TestPartner) => {
  const { statementId } = await new IssueStatement().handle({ partnerCode: code, actor: TESTER })
  return statementId
}
const supersede = (statementId: number) =>
  new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )

/** The credit memos of the draft of a period. */
async function draftCredit({ code }: TestPartner, { from, to }: { from: Date; to: Date }) {
  const scope = await findScope(code, { from, to }, 'ru')
  const { totals } = await transaction((trx) => readDocument(scope, trx, { rowsPerSheet: 1_000 }))
  return totals.adj_credit.tenge
}

/** Two past months, the first one closed. */
async function twoMonths() {
  const sale = await aSale()
  await setTerms(sale.partner)
  const sold = await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await refund(sale.client, sold.order_id, [sold.tickets[0].ticket_id])
  await moveInTime(sale.partner, '-3 months')
  const first = await issue(sale.partner)
  await sell(sale.client, sale.event.id, ['seat-2-5'])
  await moveInTime(sale.partner, '-2 months')
  return { ...sale, sold, first }
}

/** A first month with terms from its 15th, when the partner made its first sale. */
async function lateTerms() {
  const { partner, client, event } = await aSale()
  const { termsId } = await setTerms(partner, { validFrom: midnight(1) })
  const holdFrom = (moment: Date) =>
    ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE settlement_terms SET valid_from = ? FROM free WHERE id = ?`,
      moment.toISOString(),
      termsId
    )
  await holdFrom(midnight(0))
  await sell(client, event.id, ['seat-2-1'])
  const today = new Date()
  const noon = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 2, 15, 7)
  await moveInTime(partner, `-${Math.floor((Date.now() - noon) / 1000)} seconds`)
  await holdFrom(new Date(noon - 12 * 3_600_000))
  return { partner, termsId }
}

/** By which terms the open period would be closed, and those that stand in its draft. */
async function openTerms({ id, code }: TestPartner) {
  const preview = await previewPeriod(id)
  const { from, to } = preview!
  const scope = await findScope(code, { from, to }, 'ru')
  const draft = await transaction((trx) => readDocument(scope, trx, { rowsPerSheet: 100 }))
  return [preview!.terms.id, draft.terms.id]
}

test.group('Withdrawn statements', (group) => {
  const scratch = scratchDirectory(group)

  /** Its hash, how many rows its sheets have, and the sum of its tickets that were given back, as its cells say. */
  async function bookOf(
    partnerCode: string,
    statementId: number,
    path = scratch.at(`${statementId}.xlsx`)
  ) {
    const asked = { partnerCode, scope: { statementId }, path, language: 'en' } as const
    const { rows: counts, fixedDataSha256 } = await writeSettlementWorkbook(asked)
    const { rows: lines } = await readTable(path, {}, { sheet: WORDS.en.sheets.tickets })
    const all = await Array.fromAsync(lines)
    const cells = all.map((line) => line.cells)
    const at = cells[0].indexOf(WORDS.en.columns.returned)
    const returned = cells.slice(1).reduce((sum, row) => sum + Number(row[at] ?? 0), 0)
    return { fixedDataSha256, counts, returned }
  }

  test('keep their number and proof; a new statement takes over movements and days', async ({
    assert,
  }) => {
    const { partner, first } = await twoMonths()
    const second = await issue(partner)
    const before = await findStatement(second)
    await supersede(second)

    const withdrawn = await findStatement(second)
    assert.equal(withdrawn.status, 'superseded')
    assert.deepEqual(await verifyStatement(withdrawn), [])
    const preview = await previewPeriod(partner.id)
    assert.equal(preview!.closingTenge, before.closingTenge)
    assert.equal(preview!.from.getTime(), before.from.getTime())

    const third = await findStatement(await issue(partner))
    assert.isAbove(third.number, before.number)
    assert.deepEqual([third.prevId, third.supersedes?.id], [first, second])
    assert.deepEqual(
      [third.from, third.to, third.openingTenge, third.closingTenge, third.lines],
      [before.from, before.to, before.openingTenge, before.closingTenge, before.lines]
    )
    assert.notEqual(third.statementSha256, before.statementSha256)
    for (const id of [first, second, third.id])
      assert.deepEqual(await verifyStatement(await findStatement(id)), [])
    const again = await findStatement(second)
    assert.equal(again.supersededBy?.id, third.id)
    const { standing } = await one(
      `SELECT count(*)::int AS standing FROM ledger_movements m JOIN settlement_statements s ON s.id = m.statement_id
        WHERE m.partner_id = ? AND s.status = 'superseded'`,
      partner.id
    )
    assert.equal(standing, 0)
  })

  test('have the same workbook as before, whatever replaces them', async ({ assert }) => {
    const { partner, first: given, client, sold } = await twoMonths()
    await refund(client, sold.order_id, [sold.tickets[1].ticket_id])
    await moveInTime(partner, '-2 months')
    const next = await issue(partner)
    const read = () => Promise.all([given, next].map((id) => bookOf(partner.code, id)))
    const before = await read()
    for (const { returned } of before) assert.isBelow(returned, 0)
    await supersede(next)
    assert.deepEqual(await read(), before)
    await supersede(given)
    assert.deepEqual(await read(), before)
    const again = [await issue(partner), await issue(partner)]
    assert.deepEqual(await read(), before)
    const changed = await Promise.all(again.map((id) => bookOf(partner.code, id)))
    for (const [index, { fixedDataSha256 }] of changed.entries())
      assert.notEqual(fixedDataSha256, before[index].fixedDataSha256)
  })

  test('are reported as such when their file is checked', async ({ assert }) => {
    const { partner, first } = await twoMonths()
    const path = scratch.at('withdrawn.xlsx')
    await bookOf(partner.code, first, path)
    const draft = scratch.at('draft.xlsx')
    const { from, to } = await findStatement(first)
    await writeSettlementWorkbook({
      partnerCode: partner.code,
      scope: { from, to },
      path: draft,
      language: 'ru',
    })
    await supersede(first)
    assert.deepInclude(await checkWorkbook(path), {
      verdict: 'superseded',
      by: { kind: 'withdrawn' },
      isSealed: true,
    })
    assert.deepInclude(await checkWorkbook(draft), {
      verdict: 'superseded',
      by: { kind: 'newer_data' },
    })
    const { id, number } = await findStatement(await issue(partner))
    const replaced = { kind: 'replaced', statements: [{ id, number }] }
    assert.deepInclude(await checkWorkbook(path), { verdict: 'superseded', by: replaced })
    await bookOf(partner.code, first, path)
    assert.deepInclude(await checkWorkbook(path), {
      verdict: 'superseded',
      by: replaced,
      count: 0,
    })
  })

  test('are withdrawn from the end of the chain and issued again one by one', async ({
    assert,
  }) => {
    const { partner, first } = await twoMonths()
    const second = await issue(partner)
    assert.equal(await codeOf(supersede(first)), 'NOT_THE_LATEST')
    await supersede(second)
    await supersede(first)
    const [newFirst, newSecond] = [await issue(partner), await issue(partner)]
    const [one1, two] = [await findStatement(newFirst), await findStatement(newSecond)]
    assert.deepEqual([one1.supersedes?.id, two.supersedes?.id], [first, second])
    assert.deepEqual([one1.openingTenge, two.openingTenge], [0n, one1.closingTenge])
    assert.equal(two.prevSha256, one1.statementSha256)
    const numbers = await rows(
      'SELECT number FROM settlement_statements WHERE partner_id = ? ORDER BY number',
      partner.id
    )
    assert.lengthOf(numbers, 4)
  })

  test('are issued again by their own terms, also where none were in force as the month began', async ({
    assert,
  }) => {
    const { partner, termsId } = await lateTerms()
    assert.deepEqual(await openTerms(partner), [termsId, termsId])
    const first = await issue(partner)
    await supersede(first)
    assert.deepEqual(await openTerms(partner), [termsId, termsId])
    const again = await findStatement(await issue(partner))
    assert.deepEqual([again.supersedes?.id, again.termsId], [first, termsId])
  })

  test('take late movements into their replacement', async ({ assert }) => {
    const { client, event, partner } = await twoMonths()
    const second = await issue(partner)
    const { lines } = await findStatement(second)
    await sell(client, event.id, ['seat-3-1'])
    await moveInTime(partner, '-2 months')
    await supersede(second)
    const third = await findStatement(await issue(partner))
    assert.isAbove(third.lines, lines)
    assert.deepEqual(await verifyStatement(third), [])
  })

  test('cannot be statements that were agreed or withdrawn, also of ten requests at once', async ({
    assert,
  }) => {
    const { partner } = await twoMonths()
    const second = await issue(partner)
    const tries = await Promise.all(Array.from({ length: 10 }, () => codeOf(supersede(second))))
    assert.deepEqual(tries.toSorted(), [
      ...Array.from({ length: 9 }, () => 'STATUS_NOT_REACHABLE'),
      'no refusal',
    ])
    const third = await issue(partner)
    const agree = { statementId: third, trigger: 'agree', note: null, actor: TESTER } as const
    await new ChangeStatementStatus().handle(agree)
    assert.equal(await codeOf(supersede(third)), 'STATUS_NOT_REACHABLE')
    const act = { statementId: second, trigger: 'agree', note: null, actor: TESTER } as const
    assert.equal(await codeOf(new ChangeStatementStatus().handle(act)), 'STATUS_NOT_REACHABLE')
  })

  test('the database lets no movement out of an issued statement', async ({ assert }) => {
    const { partner, first } = await twoMonths()
    const second = await issue(partner)
    const refused = [
      `UPDATE ledger_movements SET statement_id = NULL, line = NULL WHERE statement_id = ${second}`,
      `UPDATE ledger_movements SET statement_id = ${first} WHERE statement_id = ${second}`,
      `UPDATE settlement_statements SET supersedes_id = ${first} WHERE id = ${second}`,
    ]
    for (const sql of refused) await assert.rejects(() => ownerRows(sql))
    await supersede(second)
    await assert.rejects(() =>
      ownerRows(`UPDATE settlement_statements SET status = 'issued' WHERE id = ${second}`)
    )
    await assert.rejects(() =>
      ownerRows(`DELETE FROM settlement_superseded_lines WHERE statement_id = ${second}`)
    )
  })

  test('a memo for a withdrawn statement is not in that of an earlier period', async ({
    assert,
  }) => {
    const { partner, first } = await twoMonths()
    const second = await issue(partner)
    await supersede(second)
    await supersede(first)
    await new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'adj_credit',
      amountTenge: 1_000n,
      reason: 'Ошибка в ведомости',
      origin: { statementId: second, line: null },
      actor: aPerson(),
    })
    const creditOf = async (statementId: number) => {
      const { totals } = await findStatement(statementId)
      return totals.adj_credit.tenge
    }
    assert.equal(await creditOf(await issue(partner)), 0n)
    assert.equal(await creditOf(await issue(partner)), -1_000n)
  })

  test('a memo for a withdrawn statement is in the one that is issued in its place', async ({
    assert,
  }) => {
    const { partner, first } = await twoMonths()
    const second = await issue(partner)
    const ask = (origin: number | null, amountTenge: bigint) =>
      new RequestMemo().handle({
        partnerCode: partner.code,
        kind: 'adj_credit',
        amountTenge,
        reason: 'Ошибка в ведомости',
        origin: origin === null ? null : { statementId: origin, line: null },
        actor: aPerson(),
      })
    const { memoId: before } = await ask(second, 700n)
    await supersede(second)
    const { memoId: after } = await ask(second, 1_000n)
    await ask(null, 300n)
    await ask(first, 200n)
    const preview = await previewPeriod(partner.id)
    assert.equal(preview!.totals.adj_credit.tenge, -1_700n)
    const draft = await draftCredit(partner, preview!)
    assert.equal(draft, -1_700n)

    const again = await issue(partner)
    const successor = await findStatement(again)
    assert.equal(successor.totals.adj_credit.tenge, -1_700n)
    assert.equal(successor.closingTenge, preview!.closingTenge)
    assert.deepEqual(await verifyStatement(successor), [])
    const taken = await rows(
      `SELECT source FROM ledger_movements WHERE statement_id = ? AND kind = 'adj_credit' ORDER BY id`,
      again
    )
    assert.deepEqual(
      taken.map(({ source }) => source),
      [`memo:${before}`, `memo:${after}`]
    )
    // Withdrawn once more: a memo for either of the two belongs to the third.
    await supersede(again)
    await ask(second, 50n)
    const third = await findStatement(await issue(partner))
    assert.equal(third.totals.adj_credit.tenge, -1_750n)
    const { tenge } = await one(
      `SELECT sum(amount_tenge)::int AS tenge FROM ledger_movements WHERE partner_id = ? AND statement_id IS NULL`,
      partner.id
    )
    assert.equal(tenge, -500)
  })
})
