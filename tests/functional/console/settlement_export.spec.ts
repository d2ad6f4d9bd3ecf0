import { WORKBOOK_VERSION } from '#workbooks/document/document'
import IssueStatement from '#ledger/actions/issue_statement'
import SetIssuer from '#ledger/actions/set_issuer'
import { listIssuers } from '#ledger/issuer'
import { listSheets } from '#spreadsheets/read_table'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { readSheet } from '#tests/support/settlement_workbook'
import { WORDS } from '#workbooks/words/words'
import { test } from '@japa/runner'
import { readdir } from 'node:fs/promises'
import { run } from './support.js'

test.group('settlement:export', (group) => {
  const scratch = scratchDirectory(group)

  test('writes a draft of a range with its CSV and JSONL copies', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    const { exitCode, text } = await run(
      'settlement:export',
      `--partner=${partner.code}`,
      '--from=2020-01-01',
      '--to=2040-01-01',
      `--out=${scratch.at('book.xlsx')}`,
      '--lang=en',
      '--twins'
    )
    assert.equal(exitCode, 0, text)
    assert.match(text, /balance: 0 → 12000 tenge/)
    assert.match(text, /data sha256: [0-9a-f]{64}/)
    assert.include(await listSheets(scratch.at('book.xlsx')), 'Movements')
    assert.lengthOf(await readdir(scratch.path), 7)
    const { change } = await one(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'settlement_exported'`,
      partner.id
    )
    assert.include(text, change.data_sha256)
  })

  test('writes our legal name from the database, as the web does', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    const [present] = await listIssuers({})
    const legalName = `ТОО «${partner.code}»`
    await new SetIssuer().handle({
      legalName,
      bin: '170240054326',
      address: null,
      city: null,
      signatory: null,
      replacesId: present?.id ?? null,
      actor: TESTER,
    })
    const out = scratch.at('book.xlsx')
    const days = ['--from=2020-01-01', '--to=2040-01-01']
    const { exitCode, text } = await run(
      'settlement:export',
      `--partner=${partner.code}`,
      ...days,
      `--out=${out}`
    )
    assert.equal(exitCode, 0, text)
    const summary = await readSheet(out, 'summary')
    const line = summary.find(([name]) => name === WORDS.ru.platform)!
    assert.equal(line[1], legalName)
  })

  test('names the file of a statement by its number', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    await setTerms(partner)
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-45 days')
    const issued = await new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER })
    const number = String(issued.number).padStart(6, '0')
    const { exitCode, text } = await run(
      'settlement:export',
      `--statement=SET-${number}`,
      `--out=${scratch.path}`
    )
    assert.equal(exitCode, 0, text)
    const [name] = await readdir(scratch.path)
    const code = partner.code.toUpperCase()
    const moment = String.raw`\d{4}-\d\d-\d\d_\d{6}`
    assert.match(
      name,
      new RegExp(
        `^SETTLE_${code}_\\d{4}-\\d{2}_${number}_v${WORKBOOK_VERSION}_ru_${moment}\\.xlsx$`
      )
    )
  })

  test('refuses what it cannot do with a message, and leaves no file', async ({ assert }) => {
    const { partner } = await aSale()
    const days = ['--from=2026-11-01', '--to=2026-12-01']
    const out = `--out=${scratch.at('book.xlsx')}`
    for (const [args, words] of [
      [['--partner=nobody', ...days, out], /NO_SUCH/],
      [['--statement=SET-999999', out], /NO_SUCH/],
      [['--statement=x', out], /SET-000001/],
      [[out], /either --statement or --partner/],
      [[`--partner=${partner.code}`, '--from=2026-02-30', '--to=2026-12-01', out], /must be a day/],
      [[`--partner=${partner.code}`, '--from=2026-12-01', '--to=2026-12-01', out], /later/],
      [[`--partner=${partner.code}`, ...days, out, '--lang=de'], /ru, kk, en/],
      [[`--partner=${partner.code}`, ...days, `--out=${scratch.at('no/book.xlsx')}`], /ENOENT/],
    ] as const) {
      const { exitCode, text } = await run('settlement:export', ...args)
      assert.equal(exitCode, 1, args.join(' '))
      assert.match(text, words)
    }
    assert.deepEqual(await readdir(scratch.path), [])
  })
})
