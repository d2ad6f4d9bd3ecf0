import ChangeCase from '#case_work/change_case'
import IssueStatement from '#ledger/actions/issue_statement'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { WORDS } from '#workbooks/words/words'
import { LANGUAGES } from '#shared/languages'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { formula } from '#spreadsheets/cells'
import { createWorkbook } from '#spreadsheets/workbook'
import { listSheets, readTable, type RawCell } from '#spreadsheets/read_table'
import { aStaffMember } from '#tests/support/browser'
import { lateCase, latePayment, refreshDefects } from '#tests/support/cases'
import { changeRows } from '#tests/support/changed_workbook'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { hasOffice, recalculated } from '#tests/support/office'
import { childrenOf, partsOf } from '#tests/support/parts_of'
import { one, ownerRows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { aMonth } from '#tests/support/settlement_month'
import { SHEET_ORDER } from '#tests/support/sheet_order'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const around = () => ({
  from: new Date(Date.now() - 60 * DAY_MS),
  to: new Date(Date.now() + DAY_MS),
})

async function issued(partner: TestPartner) {
  await moveInTime(partner, '-45 days')
  const { statementId } = await new IssueStatement().handle({
    partnerCode: partner.code,
    actor: TESTER,
  })
  return { statementId }
}

async function cellsOf(path: string, sheet: string) {
  const found = new Map<number, RawCell[]>()
  const { rows: lines } = await readTable(path, {}, { sheet })
  for await (const { line, cells } of lines) found.set(line, cells)
  return found
}

/** A book whose stored result is not what its formula gives. */
async function writeWrongSum(path: string) {
  const book = createWorkbook(path, { title: 'Проба', creator: 'Проба' })
  const columns = ['a', 'b'].map((key) => ({ key, heading: '', width: 9, kind: 'count' as const }))
  const sheet = await book.sheet({ name: 'Лист', columns, hasHeader: false })
  await sheet.row([2, formula('A1*2', 5)])
  await sheet.close()
  await book.finish()
}

test.group('Verification of the settlement workbook', (group) => {
  const scratch = scratchDirectory(group)

  test('every sheet follows the file format standard', async ({ assert }) => {
    const { partner } = await aMonth()
    const path = scratch.at('book.xlsx')
    for (const language of LANGUAGES) {
      const scope = around()
      await writeSettlementWorkbook({ partnerCode: partner.code, scope, path, language })
      const parts = await partsOf(path)
      const names = await listSheets(path)
      for (const [index, name] of names.entries()) {
        const xml = parts.get(`xl/worksheets/sheet${index + 1}.xml`)!
        const places = childrenOf(xml).map((child) => SHEET_ORDER.indexOf(child))
        assert.notInclude(places, -1, name)
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
          name
        )
        const priorities = [...xml.matchAll(/priority="(\d+)"/g)].map(([, found]) => found)
        assert.lengthOf(new Set(priorities), priorities.length, name)
        assert.isAtMost(priorities.length, 8, name)
        assert.include(xml, '<pageSetup paperSize="9" orientation="landscape"', name)
        // The checks are read at a glance.
        assert.include(
          xml,
          `fitToHeight="${name === WORDS[language].sheets.control ? 1 : 0}"`,
          name
        )
        assert.include(xml, '&amp;P', name)
      }
      const locked = (['summary', 'act', 'control'] as const).map(
        (key) => WORDS[language].sheets[key]
      )
      for (const [index, name] of names.entries()) {
        const isLocked = parts
          .get(`xl/worksheets/sheet${index + 1}.xml`)!
          .includes('<sheetProtection')
        assert.equal(isLocked, locked.includes(name), name)
      }
      const book = parts.get('xl/workbook.xml')!
      for (const { key } of DATA_SHEETS) {
        const sheet = WORDS[language].sheets[key]
        assert.include(book, `>&apos;${sheet}&apos;!$1:$1<`, 'headings are printed on every page')
      }
      assert.match(book, /_xlnm\.Print_Area" localSheetId="2">[^<]*!\$A\$1:\$N\$\d+</)
    }
  })

  test('another program recalculates it with the same results', async ({ assert }) => {
    const { partner } = await aMonth()
    const scope = await issued(partner)
    const path = scratch.at('book.xlsx')
    await writeWrongSum(path)
    const probe = await cellsOf(await recalculated(path, scratch.path), 'Лист')
    assert.equal(probe.get(1)?.[1], 4, 'it does calculate')
    for (const language of LANGUAGES) {
      await writeSettlementWorkbook({ partnerCode: partner.code, scope, path, language })
      const again = await recalculated(path, scratch.path)
      assert.deepEqual(await listSheets(again), await listSheets(path))
      for (const sheet of await listSheets(path)) {
        const [ours, theirs] = [await cellsOf(path, sheet), await cellsOf(again, sheet)]
        for (const [line, cells] of ours)
          for (const [index, cell] of cells.entries())
            assert.deepEqual(theirs.get(line)?.[index] ?? null, cell, `${sheet} ${line}:${index}`)
      }
    }
  })
    .skip(!hasOffice, 'LibreOffice is not installed')
    .timeout(180_000)

  test('another program says FALSE in the control sheet when a dismissed case is made open by hand', async ({
    assert,
  }) => {
    const { partner, caseId } = await lateCase()
    await setTerms(partner)
    const change = { state: 'dismissed', reason: 'Проверка' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const path = scratch.at('book.xlsx')
    await writeSettlementWorkbook({
      partnerCode: partner.code,
      scope: around(),
      path,
      language: 'ru',
    })
    const checkIn = async (book: string) => {
      const control = await cellsOf(book, WORDS.ru.sheets.control)
      const check = [...control.values()].find(([name]) => name === WORDS.ru.checks.openDefects)
      return check!.slice(1, 4)
    }
    assert.deepEqual(await checkIn(await recalculated(path, scratch.path)), [0, 0, true])
    const sheets = await listSheets(path)
    const defects = sheets.indexOf(WORDS.ru.sheets.defects) + 1
    const changed = await changeRows(path, scratch.at('changed.xlsx'), defects, (lines) =>
      lines.map((line) => line.replace('>dismissed<', '>open<'))
    )
    assert.deepEqual(await checkIn(await recalculated(changed, scratch.path)), [1, 0, false])
  })
    .skip(!hasOffice, 'LibreOffice is not installed')
    .timeout(180_000)

  test('the hash of an issued statement does not depend on decisions about cases', async ({
    assert,
  }) => {
    const { partner, lost, client } = await aMonth()
    const scope = await issued(partner)
    const write = (language: 'ru' | 'en' = 'ru') =>
      writeSettlementWorkbook({
        partnerCode: partner.code,
        scope,
        path: scratch.at('book.xlsx'),
        language,
      })
    const first = await write()
    const second = await write('en')
    assert.equal(second.fixedDataSha256, first.fixedDataSha256)
    assert.equal(second.changeableDataSha256, first.changeableDataSha256)

    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', lost.order_id)
    const change = { state: 'resolved', reason: 'Деньги вернулись' } as const
    await new ChangeCase().handle({ caseId: id, version: 1, change, actor: TESTER })
    await confirm(client, lost.order_id)
    await ownerRows(
      `UPDATE tickets SET status = 'used', used_at = now(), used_gate = 'A'
        WHERE status = 'active' AND order_id IN (SELECT id FROM orders WHERE partner_id = ?)`,
      partner.id
    )
    const later = await write()
    assert.equal(later.fixedDataSha256, first.fixedDataSha256)
    assert.notEqual(later.changeableDataSha256, first.changeableDataSha256)
    const control = await cellsOf(later.path, WORDS.ru.sheets.control)
    assert.includeMembers([...control.values()].flat(), [
      later.fixedDataSha256,
      later.changeableDataSha256,
    ])
  })

  test('the hash of an issued statement does not depend on voids committed after it was issued', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner)
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    const scope = await issued(partner)
    const write = () =>
      writeSettlementWorkbook({
        partnerCode: partner.code,
        scope,
        path: scratch.at('late.xlsx'),
        language: 'ru',
      })
    const before = await write()
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE tickets SET voided_at = voided_at - interval '45 days' FROM free
        WHERE order_id = ? AND status = 'void'`,
      sold.order_id
    )
    const after = await write()
    assert.equal(after.fixedDataSha256, before.fixedDataSha256)
    assert.notEqual(after.changeableDataSha256, before.changeableDataSha256)
  })

  test('contains no names of staff or buyers', async ({ assert }) => {
    const { partner, orderId } = await latePayment()
    await setTerms(partner)
    await refreshDefects(partner)
    const { email } = await aStaffMember('finance')
    const actor = { kind: 'staff', name: email, requestId: null } as const
    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', orderId)
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId: id, version: 1, change, actor })
    const path = scratch.at('book.xlsx')
    const asked = { partnerCode: partner.code, scope: around(), path }
    await writeSettlementWorkbook({ ...asked, language: 'ru' })
    const parts = await partsOf(path)
    const all = [...parts.values()].join('\n')
    for (const name of [email, 'The finance', 'buyer@example.kz', `>${TESTER.name}<`])
      assert.notInclude(all, name)
    assert.notInclude(all, 'pk_sandbox_')
    assert.include(all, '>FINANCE<')
  })
})
