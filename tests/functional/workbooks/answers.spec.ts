import ApplyAnswers from '#returned_workbooks/answers/apply_answers'
import ChangeCase from '#case_work/change_case'
import { readAnswers, type AnswersRead } from '#returned_workbooks/answers/read_answers'
import { WORDS } from '#workbooks/words/words'
import { LANGUAGES, type Language } from '#shared/languages'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { answerRows, DEFECTS } from '#tests/support/answered_workbook'
import { changeRows } from '#tests/support/changed_workbook'
import { dataOf } from '#tests/support/answers'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { aPartner, book, order, paymentOf, TESTER, type TestPartner } from '#tests/support/fixtures'
import { hasOffice, recalculated } from '#tests/support/office'
import { confirm } from '#tests/support/operations'
import { one, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { aMonth } from '#tests/support/settlement_month'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const around = () => ({
  from: new Date(Date.now() - DAY_MS),
  to: new Date(Date.now() + DAY_MS),
})
const take = (partner: TestPartner, { answers }: AnswersRead, isDryRun = false) =>
  new ApplyAnswers().handle({ partnerCode: partner.code, answers, actor: TESTER, isDryRun })

test.group('Partner answers in a workbook', (group) => {
  const scratch = scratchDirectory(group)

  async function answered(
    values: Record<string, Record<string, string | number>>,
    language: Language = 'ru'
  ) {
    const month = await aMonth()
    const path = scratch.at('book.xlsx')
    const asked = { partnerCode: month.partner.code, scope: around(), path, language }
    await writeSettlementWorkbook(asked)
    const file = await answerRows(path, scratch.at('answered.xlsx'), values)
    return { ...month, path, file }
  }
  const read = async (path: string) => {
    const found = await readAnswers(path)
    if ('unusable' in found) throw new Error(found.unusable)
    return found
  }

  test('answers are read in every language, whatever the order of rows', async ({ assert }) => {
    for (const language of LANGUAGES) {
      const { file } = await answered(
        {
          CONFIRM_AMOUNT_MISMATCH: {
            answer: WORDS[language].answers.returned,
            refundOn: 46_331,
            refundNumber: 'R-17',
            answerComment: 'Вернули на карту',
          },
        },
        language
      )
      const { answers, problems } = await read(file)
      assert.deepEqual(problems, [])
      assert.lengthOf(answers, 1)
      assert.deepInclude(answers[0], {
        answer: 'returned',
        refundOn: '2026-11-05',
        refundNumber: 'R-17',
        comment: 'Вернули на карту',
        code: 'CONFIRM_AMOUNT_MISMATCH',
      })
    }
  })

  test('answers are previewed, then applied once: evidence, note, state of the case, journal', async ({
    assert,
  }) => {
    const { file, partner } = await answered({
      CONFIRM_AMOUNT_MISMATCH: { answer: 'деньги возвращены', refundNumber: 'R-17' },
      PAID_BEFORE_CREATED: { answer: ' Оспорено', answerComment: 'Деньги ушли 5 ноября' },
    })
    const found = await read(file)
    const { caseId } = found.answers.find(({ answer }) => answer === 'returned')!
    const change = { state: 'with_partner', reason: null } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const counts = () =>
      one(`SELECT (SELECT count(*)::int FROM settlement_answers) AS answers,
                  (SELECT count(*)::int FROM settlement_case_notes) AS notes,
                  (SELECT count(*)::int FROM journal WHERE name = 'case_answered') AS entries`)
    const before = await counts()

    const dry = await take(partner, found, true)
    assert.deepEqual(await counts(), before)
    const done = await take(partner, found)
    assert.deepEqual(done, dry)
    assert.sameDeepMembers(
      done.map(({ outcome, from, to }) => [outcome, from, to]),
      [
        ['new', 'with_partner', 'in_work'],
        ['new', 'open', 'in_work'],
      ]
    )
    const after = await counts()
    for (const key of ['answers', 'notes', 'entries'])
      assert.equal(after[key] - before[key], 2, key)
    const note = await one('SELECT text FROM settlement_case_notes WHERE case_id = ?', caseId)
    assert.equal(note.text, 'Ответ партнёра, CONFIRM_AMOUNT_MISMATCH: деньги возвращены · № R-17')
    const changed = await one(
      `SELECT change FROM journal WHERE name = 'case_changed' AND change ->> 'case_id' = ? ORDER BY id DESC LIMIT 1`,
      String(caseId)
    )
    assert.include(changed.change, { from: 'with_partner', to: 'in_work', reason: note.text })

    const again = await take(partner, found)
    assert.deepEqual(new Set(again.map(({ outcome }) => outcome)), new Set(['known']))
    assert.deepEqual(await counts(), after)
  })

  test('two simultaneous uploads of one file apply each answer once', async ({ assert }) => {
    const { file, partner } = await answered({ CONFIRM_AMOUNT_MISMATCH: { answer: 'принято' } })
    const found = await read(file)
    const all = await Promise.all([1, 2, 3].map(() => take(partner, found)))
    const outcomes = all.flat().map(({ outcome }) => outcome)
    assert.sameMembers(outcomes, ['new', 'known', 'known'])
    const kept = await rows(
      'SELECT answer FROM settlement_answers WHERE defect_id = ?',
      found.answers[0].defectId
    )
    assert.deepEqual(kept, [{ answer: 'accepted' }])
  })

  test('changed rows and empty answers are reported by line', async ({ assert }) => {
    const problemOf = async (values: Record<string, string | number>) => {
      const { file } = await answered({ CONFIRM_AMOUNT_MISMATCH: values })
      const { answers, problems } = await read(file)
      assert.lengthOf(answers, 0)
      return problems.map(({ problem, line }) => [problem, line > 1])
    }
    const answer = 'принято'
    assert.deepEqual(await problemOf({ answer, exposure: 1 }), [['row_changed', true]])
    assert.deepEqual(await problemOf({ answer, rowCode: 'AAAA' }), [['row_changed', true]])
    assert.deepEqual(await problemOf({ answer: 'может быть' }), [['unknown_answer', true]])
    assert.deepEqual(await problemOf({ answerComment: 'Разберёмся' }), [['no_answer', true]])
    assert.deepEqual(await problemOf({ answer: 'деньги возвращены' }), [['no_refund', true]])
    assert.deepEqual(await problemOf({ answer, refundOn: '31.02.2026' }), [['wrong_day', true]])
    const nextDays = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10)
    assert.deepEqual(await problemOf({ answer, refundOn: nextDays }), [['wrong_day', true]])
    assert.deepEqual(await problemOf({ answer, answerComment: 'я'.repeat(2_001) }), [
      ['too_long', true],
    ])
  })

  test('of two answers to one defect the first is taken, the second is reported', async ({
    assert,
  }) => {
    const { file } = await answered({ CONFIRM_AMOUNT_MISMATCH: { answer: 'принято' } })
    const doubled = await changeRows(
      file,
      scratch.at('doubled.xlsx'),
      DEFECTS,
      ([head, ...lines]) => [head, ...lines.flatMap((line) => [line, line])]
    )
    const { answers, problems } = await read(doubled)
    assert.lengthOf(answers, 1)
    const [{ line, defectId }] = answers
    assert.deepEqual(problems, [{ line: line + 1, problem: 'twice', defectId }])
  })

  test('answers to another partner’s case or a closed case are refused', async ({ assert }) => {
    const { file, partner } = await answered({ CONFIRM_AMOUNT_MISMATCH: { answer: 'принято' } })
    const found = await read(file)
    const [{ caseId }] = found.answers
    const [other] = await take(await aPartner(), found)
    assert.include(other, { outcome: 'no_such', from: null })
    const change = { state: 'resolved', reason: 'Сами вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const [mine] = await take(partner, found)
    assert.include(mine, { outcome: 'new', from: 'resolved', to: 'resolved' })
  })

  test('a file that is not our workbook is refused', async ({ assert }) => {
    const { path } = await answered({})
    assert.deepEqual(await read(path), { answers: [], problems: [] })
    const text = await scratch.write('a.csv', 'Что;то\n1;2')
    assert.deepEqual(await readAnswers(text), { unusable: 'no_sheet', problem: null })
    const broken = await scratch.write('b.xlsx', Buffer.from('PK\u0003\u0004'))
    assert.include(await readAnswers(broken), { unusable: 'unreadable' })
    const heading = WORDS.ru.columns.rowCode
    const cut = await changeRows(path, scratch.at('cut.xlsx'), DEFECTS, ([head, ...lines]) => [
      head.replace(heading, 'Другое'),
      ...lines,
    ])
    assert.deepEqual(await readAnswers(cut), { unusable: 'columns_missing', columns: [heading] })
  })

  test('a workbook saved by another program is read', async ({ assert }) => {
    const { file } = await answered({
      CONFIRM_AMOUNT_MISMATCH: { answer: 'деньги возвращены', refundOn: 46_331 },
    })
    const { answers, problems } = await read(await recalculated(file, scratch.path))
    assert.deepEqual(problems, [])
    assert.deepInclude(answers[0], { answer: 'returned', refundOn: '2026-11-05' })
  })
    .skip(!hasOffice, 'LibreOffice is not installed')
    .timeout(120_000)

  test('an answer to a case merged into another one is reported as gone', async ({ assert }) => {
    const { client, event, partner, payment } = await latePayment()
    const booking = dataOf(await book(client, event.id, ['seat-2-2']))
    const { order_id: orderId } = dataOf(await order(client, booking.booking_id))
    await lapseOrder(orderId)
    await confirm(client, orderId, paymentOf(12_000))
    await refreshDefects(partner)
    const path = scratch.at('old.xlsx')
    const asked = { partnerCode: partner.code, scope: around(), path, language: 'ru' } as const
    await writeSettlementWorkbook(asked)
    const answer = { answer: WORDS.ru.answers.accepted }
    const file = await answerRows(path, scratch.at('answered.xlsx'), {
      CONFIRM_ORDER_EXPIRED: answer,
    })
    await confirm(client, orderId, payment)
    await refreshDefects(partner)
    const gone = await one(
      'SELECT id, state FROM settlement_cases WHERE partner_id = ? AND gone_at IS NOT NULL',
      partner.id
    )
    const outcomes = await take(partner, await read(file))
    assert.equal(outcomes.find(({ caseId }) => caseId === gone.id)!.outcome, 'gone')
    const { state } = await one('SELECT state FROM settlement_cases WHERE id = ?', gone.id)
    assert.equal(state, gone.state)
  })
})
