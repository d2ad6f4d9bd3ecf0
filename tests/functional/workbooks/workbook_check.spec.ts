import ChangeCase from '#case_work/change_case'
import IssueStatement from '#ledger/actions/issue_statement'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { checkWorkbook, type CheckResult } from '#returned_workbooks/check/check_workbook'
import { passportLine, readPassport, type Passport } from '#workbooks/proof/passport'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { WORDS } from '#workbooks/words/words'
import { LANGUAGES, type Language } from '#shared/languages'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { DEFECTS } from '#tests/support/answered_workbook'
import { changeRows } from '#tests/support/changed_workbook'
import { inFormerFormat } from '#tests/support/former_book'
import { aPartner, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { hasOffice, recalculated } from '#tests/support/office'
import { one, ownerRows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime } from '#tests/support/settlement'
import { aMonth } from '#tests/support/settlement_month'
import { zipOf } from '#tests/support/zip_file'
import { test } from '@japa/runner'
import { readdir, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const DAY_MS = 86_400_000
const around = () => ({
  from: new Date(Date.now() - 60 * DAY_MS),
  to: new Date(Date.now() + DAY_MS),
})
const [MOVEMENTS, ORDERS, SUMMARY] = [2, 3, 1]

const issue = async (partner: TestPartner) => {
  await moveInTime(partner, '-45 days')
  return new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER })
}

const ownResult = (result: CheckResult) => {
  if (result.verdict === 'not_ours') throw new Error(`not ours: ${result.why}`)
  return result
}

test.group('Checking a returned workbook', (group) => {
  const scratch = scratchDirectory(group)

  async function aBook(language: Language = 'ru') {
    const month = await aMonth()
    const { statementId } = await issue(month.partner)
    const path = scratch.at('book.xlsx')
    const asked = { partnerCode: month.partner.code, scope: { statementId }, path, language }
    await writeSettlementWorkbook(asked)
    return { ...month, path, statementId }
  }
  const changed = (path: string, sheet: number, change: (rows: string[]) => string[]) =>
    changeRows(path, scratch.at('changed.xlsx'), sheet, change)

  test('headings are recognised in every language', ({ assert }) => {
    for (const language of LANGUAGES)
      for (const { key, columns } of DATA_SHEETS) {
        const headings = columns.map((column) => WORDS[language].columns[column.key])
        assert.lengthOf(new Set(headings), headings.length, `${language} ${key}`)
      }
  })

  test('an unchanged workbook is identical, in any language, and no temporary file stays', async ({
    assert,
  }) => {
    const before = await readdir(tmpdir())
    for (const language of LANGUAGES) {
      const { path, partner } = await aBook(language)
      const result = ownResult(await checkWorkbook(path, { partnerCode: partner.code }))
      assert.deepInclude(result, { verdict: 'identical', isSealed: true, count: 0, by: null })
      assert.equal(result.claim.language, language)
      assert.equal(result.present?.dataSha256, result.claim.dataSha256)
    }
    const after = await readdir(tmpdir())
    const left = after.filter((name) => name.startsWith('settlement-check-'))
    assert.deepEqual(
      left.filter((name) => !before.includes(name)),
      []
    )
  })

  test('sorted rows are the same rows', async ({ assert }) => {
    const { path } = await aBook()
    const sorted = await changed(path, ORDERS, ([head, ...rows]) => [head, ...rows.toReversed()])
    assert.include(await checkWorkbook(sorted), { verdict: 'identical', isSealed: true })
  })

  test('a changed amount is found, with the true one', async ({ assert }) => {
    const { path } = await aBook()
    const file = await changed(path, MOVEMENTS, ([head, first, ...rows]) => [
      head,
      rows[0],
      first.replace('<v>24000</v>', '<v>23999</v>'),
      ...rows.slice(1),
    ])
    const { verdict, differences, count, isSealed } = ownResult(await checkWorkbook(file))
    assert.deepEqual([verdict, count, isSealed], ['differs', 1, false])
    assert.deepEqual(differences, [
      {
        kind: 'cell',
        sheet: 'Движения',
        cell: 'H3',
        column: WORDS.ru.columns.amount,
        inFile: 23_999,
        isTrue: 24_000,
      },
    ])
  })

  test('a deleted column is one difference, and a changed amount is still found', async ({
    assert,
  }) => {
    const { path } = await aBook()
    const file = await changed(path, MOVEMENTS, (rows) =>
      rows.map((row, at) => {
        const left = withoutColumn(row, 'F')
        return at === 1 ? left.replace('<v>24000</v>', '<v>23999</v>') : left
      })
    )
    const { verdict, differences, count } = ownResult(await checkWorkbook(file))
    const sheet = 'Движения'
    const { amount, eventTitle } = WORDS.ru.columns
    assert.deepEqual([verdict, count], ['differs', 2])
    assert.deepEqual(differences, [
      { kind: 'column_missing', sheet, column: eventTitle },
      { kind: 'cell', sheet, cell: 'H2', column: amount, inFile: 23_999, isTrue: 24_000 },
    ])
  })

  test('rows without the column that identifies them are not compared', async ({ assert }) => {
    const { path } = await aBook()
    const file = await changed(path, MOVEMENTS, (rows) =>
      rows.map((row) => withoutColumn(row, 'A'))
    )
    const { verdict, differences } = ownResult(await checkWorkbook(file))
    assert.equal(verdict, 'differs')
    assert.deepEqual(differences, [
      { kind: 'column_missing', sheet: 'Движения', column: WORDS.ru.columns.no },
    ])
  })

  test('a changed balance on the page of totals is found', async ({ assert }) => {
    const { path } = await aBook()
    const file = await changed(path, SUMMARY, (rows) =>
      rows.map((row) => row.replace('<v>204000</v>', '<v>204001</v>'))
    )
    const { verdict, differences } = ownResult(await checkWorkbook(file))
    assert.equal(verdict, 'differs')
    assert.deepInclude(differences[0], { sheet: 'Сводка', inFile: 204_001, isTrue: 204_000 })
  })

  test('missing and added rows are named', async ({ assert }) => {
    const { path, sold } = await aBook()
    const file = await changed(path, ORDERS, ([head, first, ...rows]) => [
      head,
      ...rows,
      rows[2],
      first.replaceAll(sold.order_id, 'TIX-2026-999999'),
    ])
    const { verdict, differences } = ownResult(await checkWorkbook(file))
    assert.equal(verdict, 'differs')
    assert.sameDeepMembers(
      differences.map(({ kind, ...rest }) => [kind, 'key' in rest ? rest.key : null]),
      [
        ['row_added', rowKeyOf(differences, 0)],
        ['row_missing', sold.order_id],
        ['row_added', 'TIX-2026-999999'],
      ]
    )
  })

  test('an outdated workbook is distinguished from a changed one', async ({ assert }) => {
    const { path, lost } = await aBook()
    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', lost.order_id)
    const change = { state: 'resolved', reason: 'Деньги вернулись' } as const
    await new ChangeCase().handle({ caseId: id, version: 1, change, actor: TESTER })
    const old = ownResult(await checkWorkbook(path))
    assert.deepInclude(old, { verdict: 'outdated', by: { kind: 'newer_judgement' } })
    assert.isTrue(old.isSealed)
    assert.isAbove(old.count, 0)
    assert.equal(old.present?.dataSha256, old.claim.dataSha256)
  })

  test('a workbook of a statement in force whose data have changed says that ours have changed', async ({
    assert,
  }) => {
    const { path, partner, statementId } = await aBook()
    const changeAmounts = (by: number) =>
      ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE ledger_movements SET amount_tenge = amount_tenge + ? FROM free WHERE statement_id = ? AND kind = 'sale'`,
        by,
        statementId
      )
    await changeAmounts(1)
    const found = ownResult(await checkWorkbook(path))
    assert.deepInclude(found, { verdict: 'data_changed', by: null, isSealed: true })
    assert.isAbove(found.count, 0)
    assert.notEqual(found.present?.dataSha256, found.claim.dataSha256)

    await changeAmounts(-1)
    assert.include(await checkWorkbook(path), { verdict: 'identical' })
    await new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
    assert.deepInclude(await checkWorkbook(path), {
      verdict: 'superseded',
      by: { kind: 'withdrawn' },
    })
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE ledger_movements SET amount_tenge = amount_tenge + 1 FROM free WHERE partner_id = ? AND kind = 'sale'`,
      partner.id
    )
    assert.include(await checkWorkbook(path), { verdict: 'data_changed' })
  })

  test('a draft is superseded by the statement of its period or by later data', async ({
    assert,
  }) => {
    const { partner, client, event } = await aMonth()
    await moveInTime(partner, '-45 days')
    const path = scratch.at('draft.xlsx')
    const asked = { partnerCode: partner.code, scope: around(), path, language: 'en' } as const
    await writeSettlementWorkbook(asked)
    assert.include(await checkWorkbook(path), { verdict: 'identical' })
    await sell(client, event.id, ['seat-1-5'])
    const later = ownResult(await checkWorkbook(path))
    assert.deepInclude(later, { verdict: 'superseded', by: { kind: 'newer_data' } })
    const { statementId: id } = await new IssueStatement().handle({
      partnerCode: partner.code,
      actor: TESTER,
    })
    const { number } = await one('SELECT number FROM settlement_statements WHERE id = ?', id)
    const closed = ownResult(await checkWorkbook(path))
    assert.deepInclude(closed, {
      verdict: 'superseded',
      by: { kind: 'statements', statements: [{ id, number }] },
    })
  })

  test('a foreign file is refused with the reason', async ({ assert }) => {
    const { path } = await aBook()
    const other = await aPartner()
    const why = async (file: string, partnerCode?: string) => {
      const result = await checkWorkbook(file, { partnerCode })
      return result.verdict === 'not_ours' ? [result.why, result.problem] : result.verdict
    }
    assert.deepEqual(await why(path, other.code), ['other_partner', null])
    const text = await scratch.write('a.xlsx', 'Просто текст; и всё')
    assert.deepEqual(await why(text), ['no_passport', null])
    const broken = await scratch.write('b.xlsx', Buffer.from('PK\u0003\u0004 и ничего больше'))
    const [reason] = await why(broken)
    assert.equal(reason, 'unreadable')
    const bomb = zipOf([{ name: 'xl/workbook.xml', content: 'x', declaredBytes: 4_000_000_000 }])
    assert.deepEqual(await why(await scratch.write('c.xlsx', bomb)), ['unreadable', 'zip_bomb'])
    const huge = await scratch.write('d.xlsx', 'PK\u0003\u0004')
    await truncate(huge, 251_000_000)
    assert.deepEqual(await why(huge), ['unreadable', 'too_large'])
    const named = await changed(path, 12, (rows) =>
      rows.map((row) => row.replace(/(settlement-book \d+ ru \S+) \d+/, '$1 999999'))
    )
    assert.deepEqual(await why(named), ['no_such_statement', null])
  })

  test('a passport without split sizes means the default split', ({ assert }) => {
    const at = new Date('2026-11-01T00:00:00Z')
    const said: Passport = {
      version: 2,
      language: 'ru',
      partner: 'demo',
      statementId: null,
      files: 3,
      from: at,
      to: at,
      asOf: at,
      rowsPerSheet: 10,
      fixedDataSha256: 'a'.repeat(64),
      changeableDataSha256: 'b'.repeat(64),
    }
    const line = passportLine(said)
    assert.deepEqual(readPassport(line), said)
    assert.equal(readPassport(line.replace(/ 10$/, ''))!.rowsPerSheet, 200_000)
    assert.isNull(readPassport(`${line} 7`))
  })

  test('a book of the former format of a statement in force is verified as before', async ({
    assert,
  }) => {
    const { path } = await aBook()
    const former = await inFormerFormat(path, scratch.at('former.xlsx'))
    const found = ownResult(await checkWorkbook(former))
    assert.deepEqual(found.differences, [])
    assert.deepInclude(found, {
      verdict: 'outdated',
      by: { kind: 'newer_format', version: 4 },
      isSealed: true,
    })
    assert.equal(found.present?.dataSha256, found.claim.dataSha256)

    const raised = await changeRows(former, scratch.at('raised.xlsx'), MOVEMENTS, (rows) =>
      rows.map((row) => row.replace('<v>24000</v>', '<v>23999</v>'))
    )
    const changedOne = ownResult(await checkWorkbook(raised))
    assert.deepInclude(changedOne, { verdict: 'differs', isSealed: false })
    assert.isAbove(changedOne.count, 0)

    const party = await changeRows(former, scratch.at('party.xlsx'), DEFECTS, (rows) =>
      rows.map((row) => row.replace('>BUYER<', '>PLATFORM<'))
    )
    assert.deepInclude(ownResult(await checkWorkbook(party)), {
      verdict: 'differs',
      isSealed: false,
    })
  })

  test('a check stops on its signal', async ({ assert }) => {
    const { path } = await aBook()
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('enough'))
    await assert.rejects(() => checkWorkbook(path, { signal: stop.signal, onProgress }), 'enough')
  })

  test('a workbook saved by another program is identical', async ({ assert }) => {
    const { path } = await aBook()
    const again = await recalculated(path, scratch.path)
    assert.include(await checkWorkbook(again), { verdict: 'identical', isSealed: true })
  })
    .skip(!hasOffice, 'LibreOffice is not installed')
    .timeout(120_000)
})

const rowKeyOf = (differences: { kind: string; key?: string }[], index: number) =>
  differences.filter(({ kind }) => kind === 'row_added')[index].key

const withoutColumn = (row: string, letters: string) =>
  row.replace(new RegExp(`<c r="${letters}\\d+"[^>]*?(/>|>.*?</c>)`, 's'), '')
