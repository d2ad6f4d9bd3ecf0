import ChangeCase from '#case_work/change_case'
import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import SetIssuer from '#ledger/actions/set_issuer'
import { listIssuers } from '#ledger/issuer'
import { selectDataVersion } from '#workbooks/document/request_document'
import RecordPayment from '#ledger/actions/record_payment'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { localDay, localMoment } from '#shared/days'
import { LANGUAGES } from '#shared/languages'
import { WORDS } from '#workbooks/words/words'
import { workbookFileName } from '#workbooks/writing/file_name'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { readValue } from '#spreadsheets/shown_value'
import type { ScopeInput } from '#workbooks/document/find_scope'
import { lateCase, latePayment, refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { confirm, refund } from '#tests/support/operations'
import { one } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { dataIn, daysInWords, readSheet } from '#tests/support/settlement_workbook'
import { test } from '@japa/runner'
import { setTimeout as sleep } from 'node:timers/promises'

const DAY_MS = 86_400_000
const words = WORDS.ru

test.group('Pages of the workbook', (group) => {
  const scratch = scratchDirectory(group)

  async function bookOf({ code: partnerCode }: TestPartner, scope?: ScopeInput) {
    const path = scratch.at(`${partnerCode}.xlsx`)
    const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms))
    const asked = { partnerCode, scope: scope ?? { from, to }, path, language: 'ru' } as const
    await writeSettlementWorkbook(asked)
    const lines = await readSheet(path, 'summary')
    return { path, line: (name: string) => lines.find(([first]) => first === name)! }
  }

  test('a statement’s workbook says as of when its cases and payments are shown, and so does its name', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const { partnerCode, number, from, to, asOf } = await findStatement(statementId)
    const named = { partnerCode, number, from, to, language: 'ru' } as const
    // The moments of both are seconds.
    await sleep(1_100)
    const { path } = await writeSettlementWorkbook({
      partnerCode,
      scope: { statementId },
      path: (readAt) => scratch.at(workbookFileName({ ...named, readAt })),
      language: 'ru',
    })
    const summary = await readSheet(path, 'summary')
    const momentOf = (label: string) => {
      const [, cell] = summary.find(([name]) => name === label)!
      return (readValue(cell) as Date).toISOString().slice(0, 19)
    }
    assert.equal(momentOf(words.asOf), localMoment(asOf).slice(0, 19))
    const readAt = momentOf(words.readAt)
    assert.isAbove(Date.parse(readAt), Date.parse(momentOf(words.asOf)))
    assert.include(path, `_ru_${readAt.replace('T', '_').replaceAll(':', '')}.xlsx`)
  })

  test('a dismissed case is no money at risk', async ({ assert }) => {
    const { partner, caseId } = await lateCase()
    const before = await bookOf(partner)
    assert.equal(before.line(words.altogether)[3], 12_000)
    const change = { state: 'dismissed', reason: 'Ошибка правил', isFalsePositive: true } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const after = await bookOf(partner)
    assert.equal(after.line(words.altogether)[3], 0)
  })

  test('a confirm in several defects counts once, and a decision has the name of who made it', async ({
    assert,
  }) => {
    const { client, partner, orderId } = await latePayment()
    await confirm(client, orderId, paymentOf(12_000))
    await refreshDefects(partner)
    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', orderId)
    const changeCase = async (version: number, state: 'with_partner' | 'resolved') => {
      const change = { state, reason: 'Вернули' }
      await new ChangeCase().handle({ caseId: id, version, change, actor: TESTER })
      const book = await bookOf(partner)
      const [defect] = await dataIn(book.path, 'defects')
      return { book, defect }
    }
    const open = await changeCase(1, 'with_partner')
    const attempts = await dataIn(open.book.path, 'attempts')
    assert.lengthOf(attempts, 2)
    assert.equal(open.book.line(words.altogether)[2], 2)
    assert.include(words.altogether, 'каждая попытка один раз')
    assert.deepEqual([open.defect.stateBy, open.defect.stateAt], [null, null])
    const { defect } = await changeCase(2, 'resolved')
    assert.isNotNull(defect.stateAt)
  })

  test('disputed money is what the period owes, without payments made in it', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    await setTerms(partner, { commissionBp: 0 })
    const paidOn = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
    await new RecordPayment().handle({
      partnerCode: partner.code,
      direction: 'from_partner',
      amountTenge: 12_000n,
      bankReference: `ПП-1 ${partner.code}`,
      paidOn,
      parts: [],
      actor: TESTER,
    })
    await moveInTime(partner, '-45 days')
    const { statementId } = await issueFor(partner)
    const dispute = { statementId, trigger: 'dispute', note: 'Нет', actor: TESTER } as const
    await new ChangeStatementStatus().handle(dispute)
    const { line } = await bookOf(partner, { statementId })
    const [, count, , tenge] = line(words.disputed)
    assert.deepEqual([count, tenge], [1, 12_000])
    const [, status] = line(words.statementStatus)
    assert.equal(status, `${words.statuses.disputed} · ${words.paymentStatuses.open.toLowerCase()}`)
  })

  test('only a balance below the minimum payment is carried over', async ({ assert }) => {
    const carried = async (minPaymentTenge: bigint) => {
      const { client, event, partner } = await aSale()
      await setTerms(partner, { commissionBp: 0, minPaymentTenge })
      await sell(client, event.id, ['seat-2-1'])
      const { path, line } = await bookOf(partner)
      const lines = await readSheet(path, 'summary')
      const found = lines.some(([name]) => name === words.carriedOver)
      return found ? line(words.carriedOver)[3] : null
    }
    assert.equal(await carried(12_001n), 12_001)
    assert.isNull(await carried(12_000n))
  })

  test('a draft of the next period to close has the figures of its statement', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner)
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-75 days')
    await issueFor(partner)
    const late = await sell(client, event.id, ['seat-2-5', 'seat-2-6'])
    await refund(client, late.order_id, [late.tickets[0].ticket_id])
    await moveInTime(partner, '-76 days')
    const preview = await previewPeriod(partner.id)
    const { from, to } = preview!
    const readBook = async (scope: ScopeInput) => {
      const { path, line } = await bookOf(partner, scope)
      const names = [words.opening, words.kinds.sale, words.kinds.refund, words.late, words.closing]
      const control = await readSheet(path, 'control')
      const checks = control.map((cells) => cells[3]).filter((cell) => typeof cell === 'boolean')
      return { figures: names.map((name) => line(name).slice(1, 4)), checks }
    }
    const draft = await readBook({ from, to })
    assert.equal(draft.figures[0][2], Number(preview!.openingTenge))
    assert.notInclude(draft.checks, false)
    const { statementId } = await issueFor(partner)
    assert.deepEqual(await readBook({ statementId }), draft)
  })

  test('the printed act of a withdrawn statement says so', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const titleOf = async () => {
      const { path } = await bookOf(partner, { statementId })
      const [[title]] = await readSheet(path, 'act')
      return title
    }
    assert.equal(await titleOf(), words.actTitle)
    await new SupersedeStatement().handle({ statementId, reason: 'Ошибка', actor: TESTER })
    assert.equal(await titleOf(), `${words.statuses.superseded} · ${words.actTitle}`)
  })

  test('the act has its place, day, basis, signatories and the sum in words', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner, { commissionBp: 0 })
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-45 days')
    const [{ id: replacesId, legalName, bin }] = await listIssuers({})
    const signers = { city: 'Алматы', signatory: 'А. Серикова, главный бухгалтер' }
    const details = { legalName, bin, address: 'пр. Абая, 10', replacesId, actor: TESTER }
    await new SetIssuer().handle({ ...details, ...signers })
    const { statementId } = await issueFor(partner)
    const { from, to, issuedAt } = await findStatement(statementId)
    const IN_WORDS = {
      ru: 'двенадцать тысяч тенге',
      kk: 'он екі мың теңге',
      en: 'twelve thousand tenge',
    }
    for (const language of LANGUAGES) {
      const spoken = WORDS[language]
      const path = scratch.at('act.xlsx')
      const asked = { partnerCode: partner.code, scope: { statementId }, path, language }
      await writeSettlementWorkbook(asked)
      const lines = await readSheet(path, 'act', language)
      const factOf = (name: string) => lines.find(([, label]) => label === name)?.[2]
      const dayFirst = (at: Date) => localDay(at).split('-').reverse().join('.')
      assert.equal(factOf(spoken.place), 'Алматы')
      assert.equal(factOf(spoken.date), dayFirst(issuedAt))
      assert.equal(factOf(spoken.address), 'пр. Абая, 10')
      assert.equal(
        factOf(spoken.basis),
        `${spoken.contract} ${spoken.contractDated('Д-17', '15.01.2026')}`
      )
      assert.equal(factOf(spoken.period), daysInWords({ from, to }, language))
      const owed = lines.findIndex(([, label]) => label === spoken.owedByPartner)
      assert.equal(lines[owed][2], 12_000)
      assert.equal(lines[owed + 1][1], IN_WORDS[language])
      const signed = lines.find(([, ours]) => ours === signers.signatory)!
      assert.equal(signed[3], 'Б. Омаров, директор')
    }
  })

  test('the act of a draft has no day, because nobody may sign it', async ({ assert }) => {
    const { partner } = await aSale()
    await setTerms(partner, { signatory: null })
    const { path } = await bookOf(partner)
    const lines = await readSheet(path, 'act')
    const [, , day] = lines.find(([, label]) => label === words.date)!
    assert.match(String(day), /^_+$/)
    const signing = lines.findIndex(([, label]) => label === words.signedBy)
    assert.match(String(lines[signing - 1][3]), /^_+$/)
  })

  test('a draft has our present details, an issued statement those of its day, whatever the environment says', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner)
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-45 days')
    const { statementId } = await issueFor(partner)
    const nameIn = async (scope?: ScopeInput) => {
      const { line } = await bookOf(partner, scope)
      return line(words.platform)[1]
    }
    const before = await nameIn({ statementId })
    const [present] = await listIssuers({})
    assert.equal(before, present.legalName)
    const { id: replacesId, bin } = present
    const legalName = `ТОО «${partner.code}»`
    const details = {
      legalName,
      bin,
      address: null,
      city: null,
      signatory: null,
      replacesId,
      actor: TESTER,
    }
    const version = () => selectDataVersion.one({ partnerId: partner.id })
    const versionBefore = await version()
    await new SetIssuer().handle(details)
    assert.equal(await nameIn(), legalName)
    assert.equal(await nameIn({ statementId }), before)
    // A finished draft with the earlier name is not reused.
    assert.notDeepEqual(await version(), versionBefore)
  })
})
