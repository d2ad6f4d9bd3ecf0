import IssueStatement from '#ledger/actions/issue_statement'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { answerRows } from '#tests/support/answered_workbook'
import { changeRows } from '#tests/support/changed_workbook'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { aMonth } from '#tests/support/settlement_month'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { one, ownerOne, ownerRows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { listSheets } from '#spreadsheets/read_table'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

const DAY_MS = 86_400_000
/** Where the sheet of movements stands in the book. */
const MOVEMENTS = 2

async function aBuyer() {
  const sale = await aSale()
  await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  return sale
}

test.group('Runs', () => {
  test('a workbook is requested, awaited and downloaded; the same request returns it at once', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aBuyer()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    const ask = async () => {
      await page.getByRole('button', { name: 'Export a period' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'First day' }).fill('2026-01-01')
      await dialog.getByRole('textbox', { name: 'Last day' }).fill('2026-12-31')
      await dialog.getByRole('checkbox', { name: 'With CSV and JSONL' }).check()
      await assertAccessible(page, assert)
      await dialog.getByRole('button', { name: 'Make it' }).click()
      await page.waitForURL(/\/runs\/\d+$/)
    }
    await ask()
    const asked = page.url()
    await page.getByText('In the queue').waitFor()
    await assertAccessible(page, assert)
    await performRuns()
    await page.getByText('Closing balance').waitFor()
    await page
      .getByText(/^24\s000\s₸$/)
      .first()
      .waitFor()
    await assertAccessible(page, assert)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download: SETTLE_.*xlsx$/ }).click(),
    ])
    const sheets = await listSheets(await download.path())
    assert.include(sheets, 'Movements')
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE name = 'run_file_downloaded' AND partner_id = ?`,
      partner.id
    )
    assert.equal(n, 1)

    await page.goto(`/back-office/settlement/${partner.code}`)
    await ask()
    await page.getByText('This report exists already').first().waitFor()
    assert.equal(page.url(), asked)
    assert.deepEqual(complaints, [])
  })

  test('a run is cancelled, and the list shows every run', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { partner } = await aBuyer()
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Export a period' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await page.goto(`/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Export a period' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).click()
    await page.getByText('It is already in progress').first().waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled. Nothing is kept.').waitFor()

    await page.goto(`/back-office/runs?partner=${partner.code}`)
    const line = page.getByRole('row').filter({ hasText: 'Settlement workbook' })
    await line.getByText('Cancelled').waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a range that ends before it begins is refused at its field', async ({ browserContext }) => {
    const { partner } = await aBuyer()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Export a period' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'First day' }).fill('2026-03-02')
    await dialog.getByRole('textbox', { name: 'Last day' }).fill('2026-03-01')
    await dialog.getByRole('button', { name: 'Make it' }).click()
    await dialog.getByText('The last day is before the first').waitFor()
  })

  test('the page of a run shows why a period cannot be closed yet', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aBuyer()
    await setTerms(partner)
    await moveInTime(partner, '-45 days')
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Issue the statement' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue the statement' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    // As if the page had been looked at under terms of another period.
    await ownerOne(
      `UPDATE settlement_runs SET params = params || '{"to": "2026-01-01T00:00:00.000Z"}' WHERE partner_id = ? RETURNING id`,
      partner.id
    )
    await performRuns()
    await page.getByText('Failed', { exact: true }).first().waitFor()
    await page.getByText(/Somebody else has changed this meanwhile/).waitFor()
    await assertAccessible(page, assert)
  })
})

test.group('Checking returned workbooks', (group) => {
  const scratch = scratchDirectory(group)
  async function aBook() {
    const month = await aMonth()
    const scope = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) }
    const path = scratch.at('book.xlsx')
    const { code: partnerCode } = month.partner
    await writeSettlementWorkbook({ partnerCode, scope, path, language: 'ru' })
    return { ...month, path }
  }
  const check = async (page: Page, path: string) => {
    await page.goto('/back-office/runs')
    await page.getByRole('button', { name: 'Check a file' }).click()
    await upload(page, path)
  }
  const upload = async (page: Page, path: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await performRuns()
  }

  test('an unchanged workbook, a changed one and a foreign one are distinguished', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { path } = await aBook()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/runs')
    await check(page, path)
    await page.getByText('The file is exactly what we would write now').waitFor()
    await assertAccessible(page, assert)

    const changed = await changeRows(path, scratch.at('changed.xlsx'), MOVEMENTS, (lines) =>
      lines.map((line) => line.replace('<v>12000</v>', '<v>12001</v>'))
    )
    await check(page, changed)
    await page.getByText('The file was changed').waitFor()
    await page
      .getByRole('cell', { name: /^12.001$/ })
      .first()
      .waitFor()
    await assertAccessible(page, assert)

    await check(page, await scratch.write('none.xlsx', 'not a workbook'))
    await page.getByText('There is nothing to compare it with').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('an archive of several workbooks is checked before and after its statement is withdrawn', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aBuyer()
    await setTerms(partner)
    await moveInTime(partner, '-45 days')
    const issued = { partnerCode: partner.code, actor: TESTER }
    const { statementId } = await new IssueStatement().handle(issued)
    const { path, files } = await writeSettlementWorkbook({
      partnerCode: partner.code,
      scope: { statementId },
      path: scratch.at('book.xlsx'),
      language: 'kk',
      rowsPerSheet: 1,
    })
    assert.isAbove(files, 1)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/runs')
    await check(page, path)
    await page.getByText('The file is exactly what we would write now').waitFor()
    const withdrawal = { statementId, reason: 'Wrong contract', actor: TESTER }
    await new SupersedeStatement().handle(withdrawal)
    await check(page, path)
    await page.getByText('The statement has been withdrawn; none has been issued').waitFor()
    const { statementId: next } = await new IssueStatement().handle(issued)
    await check(page, path)
    await page.getByText('The statement has been withdrawn and replaced by:').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: /^SET-\d{6}$/ }).click()
    await page.waitForURL(`**/back-office/statements/${next}`)
    assert.deepEqual(complaints, [])
  })

  test('answers are previewed and applied once they are confirmed', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, path } = await aBook()
    const file = await answerRows(path, scratch.at('answered.xlsx'), {
      CONFIRM_AMOUNT_MISMATCH: { answer: 'деньги возвращены', refundNumber: 'R-17' },
    })
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Partner’s answers' }).click()
    await assertAccessible(page, assert)
    await upload(page, file)
    await page.getByRole('cell', { name: /Money returned/ }).waitFor()
    await assertAccessible(page, assert)
    const answers = () =>
      one(
        `SELECT count(*)::int AS n FROM settlement_answers a JOIN settlement_defects d ON d.id = a.defect_id
           JOIN settlement_cases c ON c.id = d.case_id WHERE c.partner_id = ?`,
        partner.id
      )
    assert.deepEqual(await answers(), { n: 0 })

    await page.getByRole('button', { name: 'Apply answers: 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/become notes and evidence/).waitFor()
    const before = page.url()
    await dialog.getByRole('button', { name: 'Apply answers: 1' }).click()
    await page.waitForURL((url) => url.href !== before)
    await performRuns()
    await page.getByText('Applied answers').waitFor()
    assert.deepEqual(await answers(), { n: 1 })
    // As if it had been cancelled on the way.
    await ownerRows(
      `UPDATE settlement_runs SET state = 'cancelled', result = NULL WHERE partner_id = ? AND params ->> 'isDryRun' = 'false'`,
      partner.id
    )
    await page.reload()
    await page.getByText('Answers applied before that stay').waitFor()
    assert.deepEqual(complaints, [])
  })
})
