import {
  ChangeSchedule,
  PauseSchedule,
  RemoveSchedule,
  RunSchedule,
  ScheduleReport,
  type ScheduleReportInput,
} from '#reporting/schedules/actions/change_schedules'
import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import IssueStatement from '#ledger/actions/issue_statement'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { periodAround, type Period } from '#ledger/periods'
import { lastDue, nextDue } from '#reporting/schedules/rhythm'
import { startDueReports } from '#reporting/jobs/start_reports'
import { VOID_KINDS } from '#ledger/movements'
import { LANGUAGES, type Language } from '#shared/languages'
import { sumNumbers } from '#shared/sums'
import { readTable } from '#spreadsheets/read_table'
import { dataOf } from '#tests/support/answers'
import { aCaseOfTwoParties } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import {
  aSale,
  book,
  order,
  paymentOf,
  sell,
  TESTER,
  type TestPartner,
} from '#tests/support/fixtures'
import { aMailServer, mailOff, mailTo } from '#tests/support/mail_server'
import { confirm, refund } from '#tests/support/operations'
import { aClosableMonth, deliverMails, issueFor, mailsOf, giveUpMails } from '#tests/support/mails'
import { one, ownerRows, rows } from '#tests/support/rows'
import { filesOf, performRuns, runRow } from '#tests/support/runs'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { readSheet } from '#tests/support/settlement_workbook'
import { WORDS } from '#workbooks/words/words'
import { runJob } from '#worker/jobs'
import { test } from '@japa/runner'

const RECIPIENTS = ['boss@buyer.test', 'books@buyer.test']
const DAY_MS = 86_400_000

const schedule = ({ code: partnerCode }: TestPartner, more: Partial<ScheduleReportInput> = {}) =>
  new ScheduleReport().handle({
    partnerCode,
    kind: 'current_period',
    every: 'day',
    day: null,
    hour: 9,
    language: 'ru',
    recipients: RECIPIENTS,
    actor: TESTER,
    ...more,
  })

const rowOf = (id: number) => one('SELECT * FROM report_schedules WHERE id = ?', id)
const runsOf = ({ id }: TestPartner) =>
  rows('SELECT id, kind, params FROM settlement_runs WHERE partner_id = ? ORDER BY id', id)

test.group('Scheduled reports', (group) => {
  const scratch = scratchDirectory(group)
  const closing: (() => unknown)[] = []
  group.each.setup(
    async () => void (await ownerRows('UPDATE report_schedules SET is_active = false'))
  )
  group.each.teardown(async () => {
    mailOff()
    for (const close of closing.splice(0)) await close()
    await giveUpMails()
  })
  async function aServer() {
    const server = await aMailServer()
    closing.push(server.close)
    mailTo(server.url)
    return server
  }

  test('a report is made when it is due and sent to each recipient', async ({ assert }) => {
    const server = await aServer()
    const { partner } = await aClosableMonth()
    const { scheduleId, nextAt } = await schedule(partner)
    await startDueReports(new Date(nextAt.getTime() - 1))
    assert.lengthOf(await runsOf(partner), 0)
    await startDueReports(nextAt)
    await startDueReports(nextAt)
    const [run, ...more] = await runsOf(partner)
    assert.lengthOf(more, 0)
    assert.equal(run.kind, 'workbook')
    const { next_at: next, last_run_id: lastRun } = await rowOf(scheduleId)
    assert.equal(next.getTime(), nextAt.getTime() + DAY_MS)
    assert.equal(lastRun, run.id)

    await performRuns(partner)
    await deliverMails()
    assert.sameMembers(
      server.arrived.map(({ to }) => to[0]),
      RECIPIENTS
    )
    const [{ subject, attachments }] = server.arrived
    assert.match(subject, /^Черновик ведомости за текущий период/)
    assert.match(attachments[0].name, /_DRAFT_/)
  })

  test('several workers at once start it once', async ({ assert }) => {
    mailTo('smtp://127.0.0.1:1')
    const { partner } = await aClosableMonth()
    const { nextAt } = await schedule(partner, { kind: 'defects' })
    await Promise.all(Array.from({ length: 8 }, () => startDueReports(nextAt)))
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE name = 'report_schedule_run' AND partner_id = ?`,
      partner.id
    )
    assert.equal(n, 1)
    const mails = await mailsOf(partner)
    assert.lengthOf(mails, RECIPIENTS.length)
  })

  test('a stale change is refused, and a change moves the due time', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const { scheduleId } = await schedule(partner)
    const asked = { kind: 'defects', every: 'week', day: 3, hour: 7, language: 'kk' } as const
    const change = (version: number, recipients: string[]) =>
      new ChangeSchedule().handle({ scheduleId, version, ...asked, recipients, actor: TESTER })
    await change(1, ['boss@buyer.test', 'BOSS@buyer.test'])
    const row = await rowOf(scheduleId)
    assert.containsSubset(row, { ...asked, recipients: ['BOSS@buyer.test'], version: 2 })
    assert.deepEqual(row.next_at, nextDue(asked, new Date()))
    const { change: entry } = await one(
      `SELECT change FROM journal WHERE name = 'report_schedule_changed' AND partner_id = ?`,
      partner.id
    )
    assert.deepEqual((entry as { changed: object }).changed, {
      kind: { from: 'current_period', to: 'defects' },
      every: { from: 'day', to: 'week' },
      day: { from: null, to: 3 },
      hour: { from: 9, to: 7 },
      language: { from: 'ru', to: 'kk' },
      recipients: { from: RECIPIENTS, to: ['BOSS@buyer.test'] },
    })

    await assert.rejects(() => change(1, RECIPIENTS), /meanwhile/)
    await assert.rejects(() => change(2, ['nobody']), /parameter/)
    assert.deepEqual(await rowOf(scheduleId), row)
  })

  test('of several missed times only the latest is made', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const rhythm = { every: 'month', day: 31, hour: 9 } as const
    const { scheduleId, nextAt } = await schedule(partner, { ...rhythm, kind: 'last_period' })
    const now = new Date(nextAt.getTime() + 100 * DAY_MS)
    await startDueReports(now)
    await startDueReports(now)
    const [run, ...more] = await runsOf(partner)
    assert.lengthOf(more, 0)
    const due = lastDue(rhythm, now)
    assert.isBelow(new Date(run.params.to as string).getTime(), due.getTime())
    assert.isAbove(new Date(run.params.to as string).getTime(), due.getTime() - 32 * DAY_MS)
    const { next_at: next } = await rowOf(scheduleId)
    assert.equal(next.getTime(), nextDue(rhythm, now).getTime())
  })

  test('a closed period is sent as its statement', async ({ assert }) => {
    const server = await aServer()
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const { to } = await one(
      'SELECT period_to AS "to" FROM settlement_statements WHERE id = ?',
      statementId
    )
    const { scheduleId } = await schedule(partner, { kind: 'last_period' })
    const when = new Date(to.getTime() + 3 * DAY_MS)
    await ownerRows('UPDATE report_schedules SET next_at = ? WHERE id = ?', when, scheduleId)
    await startDueReports(when)
    const [run] = await runsOf(partner)
    assert.equal(run.params.statementId, statementId)
    await performRuns(partner)
    await deliverMails()
    const [{ subject, text, attachments }] = server.arrived
    assert.match(
      text,
      /Сальдо на конец периода: задолженность партнёра перед платформой [\d\s]+₸\.\s+Продажи за период: 24\s000\s₸, возвраты: 0\s₸\./
    )
    assert.match(subject, /за прошедший период, 01\.\d\d\.\d{4} – (30|31|28|29)\.\d\d\.\d{4} · /)
    assert.notInclude(attachments[0].name, 'DRAFT')
  })

  test('a period whose statement was withdrawn is sent as a draft', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    await new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
    const { from, to } = await one(
      'SELECT period_from AS "from", period_to AS "to" FROM settlement_statements WHERE id = ?',
      statementId
    )
    const { scheduleId } = await schedule(partner, { kind: 'last_period' })
    const when = new Date(to.getTime() + 3 * DAY_MS)
    await ownerRows('UPDATE report_schedules SET next_at = ? WHERE id = ?', when, scheduleId)
    await startDueReports(when)
    const [run] = await runsOf(partner)
    assert.include(run.params, { from: from.toISOString(), to: to.toISOString() })
    assert.notProperty(run.params, 'statementId')
  })

  test('a period shortened by new terms is sent as its statement, and the week before is not repeated', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    await setTerms(partner, { period: 'week' })
    const { from: thisMonth } = periodAround(new Date(), 'month')
    const { from: lastMonth } = periodAround(new Date(thisMonth.getTime() - 1), 'month')
    const sold = lastMonth.getTime() + 7.5 * DAY_MS
    await moveInTime(partner, `${Math.round((sold - Date.now()) / 1000)} seconds`)
    const issue = () => new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER })
    await issue()
    const { period_to: closed } = await one(
      'SELECT period_to FROM settlement_statements WHERE partner_id = ?',
      partner.id
    )
    await ownerRows(
      `INSERT INTO settlement_terms (partner_id, valid_from, period, commission_bp, vat_bp, set_by)
       VALUES (?, ?, 'month', 750, 1600, 'tests')`,
      partner.id,
      closed
    )
    const scopes = async () => {
      const found = await runsOf(partner)
      return found.map(({ params }) => params)
    }
    const { nextAt } = await schedule(partner, { kind: 'last_period' })
    await startDueReports(nextAt)
    const [draft] = await scopes()
    assert.include(draft, { from: closed.toISOString(), to: thisMonth.toISOString() })
    const { statementId } = await issue()
    await startDueReports(new Date(nextAt.getTime() + DAY_MS))
    const [, statement] = await scopes()
    assert.include(statement, { statementId })
  })

  test('terms that begin within a period leave it as long as it will be closed', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    await issueFor(partner)
    const open = await previewPeriod(partner.id)
    const { from, to } = open!
    const on = (days: number) => new Date(from.getTime() + days * DAY_MS)
    await ownerRows(
      `INSERT INTO settlement_terms (partner_id, valid_from, period, commission_bp, vat_bp, set_by)
       VALUES (?, ?, 'week', 750, 1600, 'tests')`,
      partner.id,
      on(9)
    )
    const scopeAt = async (kind: 'current_period' | 'last_period', when: Date) => {
      const { scheduleId } = await schedule(partner, { kind })
      await ownerRows('UPDATE report_schedules SET next_at = ? WHERE id = ?', when, scheduleId)
      await startDueReports(when)
      await ownerRows('UPDATE report_schedules SET is_active = false WHERE id = ?', scheduleId)
      const { last_run_id: runId } = await rowOf(scheduleId)
      const { params } = await one('SELECT params FROM settlement_runs WHERE id = ?', runId)
      return params as object
    }
    const spoken = (period: Period) => ({
      from: period.from.toISOString(),
      to: period.to.toISOString(),
    })
    assert.include(await scopeAt('current_period', on(15.5)), spoken({ from, to }))
    assert.include(
      await scopeAt('last_period', new Date(to.getTime() + DAY_MS / 2)),
      spoken({ from, to })
    )
    assert.include(await scopeAt('current_period', on(45)), spoken(periodAround(on(45), 'week')))
  })

  test('defects are sent as a workbook of their own', async ({ assert }) => {
    const server = await aServer()
    const { partner, client, event } = await aSale()
    const held = dataOf(await book(client, event.id, ['seat-2-3']))
    const late = dataOf(await order(client, held.booking_id))
    await lapseOrder(late.order_id)
    await confirm(client, late.order_id, paymentOf(12_000))
    const { scheduleId } = await schedule(partner, { kind: 'defects', language: 'en' })
    const { runId } = await new RunSchedule().handle({ scheduleId, actor: TESTER })
    await performRuns(partner)
    const { state, result } = await runRow(runId)
    assert.equal(state, 'succeeded')
    assert.deepEqual(result!.rows, { defects: 1, attempts: 1 })
    const [{ name }] = await filesOf(runId)
    assert.match(name, /^DEFECTS_.*_en_\d{4}-\d\d-\d\d_\d{6}\.xlsx$/)
    await deliverMails()
    const file = await scratch.write('a.xlsx', server.arrived[0].attachments[0].content)
    const table = await readTable(file, {}, { sheet: 'Attempts' })
    const lines = await Array.fromAsync(table.rows)
    assert.isAbove(lines.length, 1)
  })

  /** A report of a kind in each language, with a change after its file was made and before it is sent. */
  async function reportsOf(
    partner: TestPartner,
    kind: ScheduleReportInput['kind'],
    change: () => Promise<unknown>
  ) {
    const server = await aServer()
    for (const language of LANGUAGES) {
      const recipients = [`${language}@buyer.test`]
      const { scheduleId } = await schedule(partner, { kind, language, recipients })
      await new RunSchedule().handle({ scheduleId, actor: TESTER })
    }
    await performRuns(partner)
    await change()
    await deliverMails()
    return Promise.all(
      LANGUAGES.map(async (language) => {
        const arrived = server.arrived.find(({ to }) => to[0] === `${language}@buyer.test`)!
        const file = await scratch.write(`${language}.xlsx`, arrived.attachments[0].content)
        return { language, file, text: arrived.text, html: arrived.html }
      })
    )
  }
  const money = (tenge: number) => `${Math.abs(tenge).toLocaleString('ru-RU')}\u00A0₸`

  test('the text and HTML of a draft have the closing balance, sales and refunds of its file, in each language', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    await setTerms(partner)
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    const reports = await reportsOf(partner, 'current_period', () =>
      sell(client, event.id, ['seat-2-3'])
    )
    const expected = (language: Language, balance: string, sales: string, refunds: string) =>
      ({
        ru: [
          `Сальдо на конец периода: задолженность партнёра перед платформой ${balance}.`,
          `Продажи за период: ${sales}, возвраты: ${refunds}.`,
        ],
        kk: [
          `Кезең соңындағы сальдо: серіктестің платформаға берешегі ${balance}.`,
          `Кезеңдегі сатылым: ${sales}, қайтарылған ақша: ${refunds}.`,
        ],
        en: [
          `Closing balance: the partner owes the platform ${balance}.`,
          `Sales of the period: ${sales}, refunds: ${refunds}.`,
        ],
      })[language]
    for (const { language, file, text, html } of reports) {
      const summary = await readSheet(file, 'summary', language)
      const words = WORDS[language]
      const sumOf = (name: string) => Number(summary.find(([first]) => first === name)![3])
      const refunds = sumNumbers(VOID_KINDS, (kind) => sumOf(words.kinds[kind]))
      assert.deepEqual([sumOf(words.kinds.sale), refunds], [24_000, -12_000])
      const lines = expected(language, money(sumOf(words.closing)), money(24_000), money(refunds))
      for (const line of lines) {
        assert.include(text, line)
        assert.include(html, line)
      }
    }
  })

  test('the text and HTML of a defect report have the open cases and the money at risk of its file, in each language', async ({
    assert,
  }) => {
    const { partner, caseId } = await aCaseOfTwoParties()
    const reports = await reportsOf(partner, 'defects', () =>
      ownerRows('UPDATE settlement_cases SET platform_tenge = 9_000 WHERE id = ?', caseId)
    )
    const expected = (language: Language, [buyer, platform]: string[]) =>
      ({
        ru: `Открытых случаев за период: 1, под риском: у покупателей ${buyer}, у платформы ${platform}.`,
        kk: `Кезеңдегі ашық жағдайлар: 1, тәуекелде: сатып алушыларда ${buyer}, платформада ${platform}.`,
        en: `Open cases of the period: 1, at risk: buyers ${buyer}, the platform ${platform}.`,
      })[language]
    for (const { language, file, text, html } of reports) {
      const [headings, ...defects] = await readSheet(file, 'defects', language)
      const sums = EXPOSED_PARTIES.map((party) => {
        const column = headings.indexOf(WORDS[language].columns[`${party}Exposure`])
        return sumNumbers(defects, (cells) => Number(cells[column]))
      })
      assert.deepEqual(sums, [12_000, 12_000, 0])
      const line = expected(language, sums.map(money))
      assert.include(text, line)
      assert.include(html, line)
    }
  })

  test('a report that failed is announced in one line', async ({ assert }) => {
    const server = await aServer()
    const { partner } = await aClosableMonth()
    const { scheduleId } = await schedule(partner)
    const { runId } = await new RunSchedule().handle({ scheduleId, actor: TESTER })
    await ownerRows(
      `UPDATE settlement_runs SET state = 'failed', error = '{"code": "DISK_FULL"}', finished_at = now() WHERE id = ?`,
      runId
    )
    await deliverMails()
    assert.lengthOf(server.arrived, 2)
    const [{ subject, text, attachments }] = server.arrived
    assert.match(subject, /^Отчёт не готов/)
    assert.notInclude(text, 'Сальдо')
    assert.match(text, /код DISK_FULL.*settlement@platform\.test/)
    assert.lengthOf(attachments, 0)
  })

  test('a report is made while e-mail is off', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const { scheduleId } = await schedule(partner)
    await ownerRows('UPDATE report_schedules SET next_at = now() WHERE id = ?', scheduleId)
    await runJob('start_reports', {})
    const [made, mails] = [await runsOf(partner), await mailsOf(partner)]
    assert.lengthOf(made, 1)
    assert.lengthOf(mails, 0)
  })

  test('a paused report is not made, a resumed one continues with its next time, a deleted one is gone', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const { scheduleId, nextAt } = await schedule(partner)
    const turn = (isActive: boolean) =>
      new PauseSchedule().handle({ scheduleId, isActive, actor: TESTER })
    await turn(false)
    await turn(false)
    await startDueReports(nextAt)
    assert.lengthOf(await runsOf(partner), 0)
    await ownerRows(
      `UPDATE report_schedules SET next_at = now() - interval '3 days' WHERE id = ?`,
      scheduleId
    )
    await turn(true)
    const { next_at: next } = await rowOf(scheduleId)
    assert.equal(next.getTime(), nextAt.getTime())
    mailTo('smtp://127.0.0.1:1')
    await new RunSchedule().handle({ scheduleId, actor: TESTER })
    await new RemoveSchedule().handle({ scheduleId, actor: TESTER })
    assert.isUndefined(await rowOf(scheduleId))
    const mails = await mailsOf(partner)
    assert.lengthOf(mails, 2)
    const names = await rows(
      `SELECT name FROM journal WHERE partner_id = ? AND name LIKE 'report_schedule%' ORDER BY id`,
      partner.id
    )
    assert.deepEqual(
      names.map(({ name }) => (name as string).replace('report_schedule_', '')),
      ['set', 'paused', 'resumed', 'run', 'removed']
    )
  })

  test('invalid input is refused at its field', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    for (const more of [
      { recipients: [] },
      { recipients: ['a@b.kz\r\nBcc: c@d.kz'] },
      { recipients: Array.from({ length: 11 }, (_, n) => `a${n}@b.kz`) },
      { hour: 24 },
      { every: 'week', day: 8 } as const,
      { every: 'day', day: 3 } as const,
      { every: 'month', day: null } as const,
    ])
      await assert.rejects(() => schedule(partner, more), /parameter/)
  })
})
