import { findIssuerAt } from '#ledger/issuer'
import { findStatement } from '#ledger/queries/find_statement'
import { findTermsById } from '#ledger/terms'
import { LANGUAGES } from '#shared/languages'
import { renderStatementPdf } from '#printing/statement_pdf'
import { periodText } from '#workbooks/document/document'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { aStaffMember } from '#tests/support/browser'
import { aSale, sell } from '#tests/support/fixtures'
import { issueFor } from '#tests/support/mails'
import { refund } from '#tests/support/operations'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { readSheet } from '#tests/support/settlement_workbook'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Sold, refunded and closed; to be paid within ten days. */
async function aStatement() {
  const { client, event, partner } = await aSale()
  await setTerms(partner, { paymentDays: 10 })
  const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2', 'seat-1-1'])
  await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
  await moveInTime(partner, '-45 days')
  const { statementId } = await issueFor(partner)
  const statement = await findStatement(statementId)
  const printed = {
    statement,
    partner: { ...partner, name: statement.partnerName },
    terms: await findTermsById.one({ termsId: statement.termsId }),
    issuer: (await findIssuerAt.first({ at: statement.asOf })) ?? null,
  }
  return { partner, statement, printed }
}

/** The text of each page. PDFs have spaces that do not break, and lines wherever they end. */
async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const content = await page.getTextContent()
    const text = content.items.map((item) => ('str' in item ? item.str : '')).join(' ')
    pages.push(plain(text))
  }
  await document.loadingTask.destroy()
  return pages
}
const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
const written = (cell: unknown) =>
  plain(typeof cell === 'number' ? cell.toLocaleString('ru') : String(cell))

test.group('The printed statement', (group) => {
  const scratch = scratchDirectory(group)

  for (const language of LANGUAGES)
    test(`in ${language} has everything that the act of the workbook has`, async ({ assert }) => {
      const { partner, statement, printed } = await aStatement()
      const words = WORDS[language]
      const path = scratch.at('act.xlsx')
      const scope = { statementId: statement.id }
      await writeSettlementWorkbook({ partnerCode: partner.code, scope, path, language })

      const [text, ...others] = await pagesOf(await renderStatementPdf(printed, language))
      assert.lengthOf(others, 0)
      // The partner's own figures are for the partner to fill in.
      const act = await readSheet(path, 'act', language)
      const cells = act.flatMap((line) => line.slice(0, 4))
      const expected = cells.filter((cell) => cell !== null && cell !== 0).map(written)
      const missing = expected.filter((cell) => !/^_+$/.test(cell) && !text.includes(cell))
      assert.deepEqual(missing, [words.number])
      assert.include(text, words.byPartner)
      assert.lengthOf(text.split(words.debit), 3, 'a column for each side')
      assert.notMatch(text, /\d ₸/, 'the unit stands in the labels')
      assert.include(text, plain(periodText(statement, words)))
      assert.include(text, statement.statementSha256.slice(0, 16))
      assert.include(text, `${words.page} 1 ${words.of} 1`)
      assert.include(text, statement.payBy!.split('-').reverse().join('.'))
    })

  test('says what we owe the partner when its payment was more than its sales', async ({
    assert,
  }) => {
    const { printed } = await aStatement()
    const words = WORDS.kk
    const totals = structuredClone(printed.statement.totals)
    totals.payment = { movements: 1, tickets: 0, tenge: -1_000_000n }
    const statement = { ...printed.statement, totals }
    const [text] = await pagesOf(await renderStatementPdf({ ...printed, statement }, 'kk'))
    assert.include(text, words.owedByPlatform)
    assert.notInclude(text, words.owedByPartner)
  })

  test('is given to finance, and to nobody who may not see settlement', async ({ assert }) => {
    const { statement } = await aStatement()
    const path = `/back-office/statements/${statement.id}/pdf`
    const answerFor = async (role: 'finance' | 'gate') => {
      const { email, password } = await aStaffMember(role)
      const client = new StaffClient()
      await client.get('/back-office/sign-in')
      await client.send('POST', '/back-office/sign-in', { email, password })
      return client.get(path)
    }
    const given = await answerFor('finance')
    assert.equal(given.headers.get('content-type'), 'application/pdf')
    assert.match(
      given.headers.get('content-disposition')!,
      /^attachment; filename="SET-\d{6}\.pdf"$/
    )
    const [text] = await pagesOf(new Uint8Array(await given.arrayBuffer()))
    assert.include(text, statement.statementSha256.slice(0, 16))
    const refused = await answerFor('gate')
    assert.notEqual(refused.status, 200)
  })
})
