import queueIssuedStatementMails from '#reporting/jobs/queue_issued_statement_mails'
import { readSettlementAttention } from '#back_office/overview/settlement_attention'
import IssueStatement from '#ledger/actions/issue_statement'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import QueueStatementMails from '#reporting/mails/actions/queue_statement_mails'
import { ChangeContact, RemoveContact } from '#reporting/mails/actions/contacts'
import deliverMail from '#reporting/mails/deliver_mail/deliver_mail'
import { claimMail } from '#reporting/mails/deliver_mail/deliver_mail_sql'
import { runDirectory } from '#runs/run_files'
import { readTable } from '#spreadsheets/read_table'
import { Authority } from '#tests/support/certificates'
import { aCaseOfTwoParties } from '#tests/support/cases'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { aMailServer, aSilentServer, mailOff, mailTo } from '#tests/support/mail_server'
import {
  aClosableMonth,
  aContact,
  deliverMails,
  hasten,
  issueFor,
  mailsOf,
  giveUpMails,
} from '#tests/support/mails'
import { one, ownerRows, rows } from '#tests/support/rows'
import { filesOf, performRuns, runRow } from '#tests/support/runs'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { moveInTime, setTerms } from '#tests/support/settlement'
import logger from '@adonisjs/core/services/logger'
import { test } from '@japa/runner'
import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const closing: (() => unknown)[] = []
async function closed<Opened extends { close: () => unknown }>(opening: Promise<Opened>) {
  const opened = await opening
  closing.push(opened.close)
  return opened
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const TO = 'accountant@buyer.test'

/** An issued statement and somebody to send it to. */
async function anIssued(more: { language?: 'ru' | 'kk' | 'en' } = {}) {
  const { partner } = await aClosableMonth()
  const contactId = await aContact(partner, { email: TO, ...more })
  const { statementId, number } = await issueFor(partner)
  const ask = () =>
    new QueueStatementMails().handle({ statementId, contactIds: [contactId], actor: TESTER })
  return { partner, contactId, statementId, number, ask }
}

/** An issued statement and a contact who gets every statement. */
async function anIssuedForAll() {
  const { partner } = await aClosableMonth()
  await aContact(partner, { email: TO, getsStatements: true })
  return { partner, ...(await issueFor(partner)) }
}

/** A mail whose workbook is made, to be sent to that server. */
async function aReadyMail(url: string, more: Parameters<typeof mailTo>[1] = {}) {
  mailTo(url, more)
  const issued = await anIssued()
  await issued.ask()
  await performRuns(issued.partner)
  const now = async () => {
    const [mail] = await mailsOf(issued.partner)
    return mail
  }
  const { id } = await now()
  return { ...issued, id, now }
}

const secondsUntil = (at: Date) => (at.getTime() - Date.now()) / 1000

test.group('Statement mails', (group) => {
  const scratch = scratchDirectory(group)
  group.each.teardown(async () => {
    mailOff()
    for (const close of closing.splice(0)) await close()
    await giveUpMails()
  })

  test('a statement is mailed with its workbook once the workbook is made', async ({ assert }) => {
    const server = await closed(aMailServer())
    mailTo(server.url)
    const { partner, number, ask } = await anIssued()
    await ask()
    await deliverMails()
    assert.lengthOf(server.arrived, 0)
    await performRuns(partner)
    await deliverMails()
    await deliverMails()

    assert.lengthOf(server.arrived, 1)
    const [arrived] = server.arrived
    assert.equal(arrived.from, 'settlement@platform.test')
    assert.deepEqual(arrived.to, [TO])
    assert.include(arrived.subject, `Ведомость SET-${String(number).padStart(6, '0')} за `)
    assert.include(arrived.text, 'Здравствуйте!')
    assert.match(
      arrived.text,
      /К оплате за период: [\d\s]+₸, из них оплачено: 0\u00a0₸ \(не оплачена\)/
    )
    assert.include(
      arrived.text,
      'Сальдо на конец периода: задолженность партнёра перед платформой '
    )
    assert.include(arrived.text, 'Открытых случаев за период нет.')
    assert.include(arrived.html, '<html lang="ru">')
    const [mail] = await mailsOf(partner)
    assert.include(mail, { state: 'sent', attempts: 1, failure: null, subject: arrived.subject })
    assert.equal(arrived.headers['message-id'], mail.message_id)

    const [made] = await filesOf(mail.run_id)
    const [attached] = arrived.attachments
    assert.equal(attached.name, made.name)
    assert.equal(sha256(attached.content), made.sha256)
    assert.equal(mail.attached_sha256, made.sha256)
    const file = await scratch.write('arrived.xlsx', attached.content)
    const table = await readTable(file, {}, { sheet: 'Движения' })
    const lines = await Array.fromAsync(table.rows)
    assert.isAbove(lines.length, 2)
  })

  test('its text and its HTML have the statement’s figures and the open cases by party, in each language', async ({
    assert,
  }) => {
    const server = await closed(aMailServer())
    mailTo(server.url)
    const { partner, caseId } = await aCaseOfTwoParties()
    await moveInTime(partner, '-45 days')
    for (const language of ['ru', 'kk', 'en'] as const)
      await aContact(partner, { email: `${language}@buyer.test`, language, getsStatements: true })
    const { statementId } = await issueFor(partner)
    await queueIssuedStatementMails()
    // The workbook's run searches the period again, and no register has those days.
    await performRuns(partner)
    await ownerRows(
      `UPDATE settlement_cases SET platform_tenge = 9_000, occurred_at = occurred_at - interval '45 days' WHERE id = ?`,
      caseId
    )
    await deliverMails()
    const { closingTenge } = await one(
      'SELECT closing_tenge::float8 AS "closingTenge" FROM settlement_statements WHERE id = ?',
      statementId
    )
    const sum = (closingTenge as number).toLocaleString('ru-RU')
    const expected = {
      ru: [
        `задолженность партнёра перед платформой ${sum}\u00a0₸`,
        'за период: 1, под риском: у покупателей 12\u00a0000\u00a0₸, у платформы 9\u00a0000\u00a0₸.',
      ],
      kk: [
        `серіктестің платформаға берешегі ${sum}\u00a0₸`,
        'жағдайлар: 1, тәуекелде: сатып алушыларда 12\u00a0000\u00a0₸, платформада 9\u00a0000\u00a0₸.',
      ],
      en: [
        `the partner owes the platform ${sum}\u00a0₸`,
        'period: 1, at risk: buyers 12\u00a0000\u00a0₸, the platform 9\u00a0000\u00a0₸.',
      ],
    }
    for (const [language, lines] of Object.entries(expected)) {
      const arrived = server.arrived.find(({ to }) => to[0] === `${language}@buyer.test`)!
      for (const line of lines) {
        assert.include(arrived.text, line)
        assert.include(arrived.html, line)
      }
      assert.match(arrived.text, /₸ \((не оплачена|төленбеген|not paid)\)/)
    }
  })

  test('each contact gets it in its language, and the journal records it', async ({ assert }) => {
    const server = await closed(aMailServer())
    mailTo(server.url)
    const { partner } = await aClosableMonth()
    for (const language of ['ru', 'kk', 'en'] as const)
      await aContact(partner, { email: `${language}@buyer.test`, language, getsStatements: true })
    await aContact(partner, { email: 'nobody@buyer.test' })
    await issueFor(partner)
    await queueIssuedStatementMails()
    await performRuns(partner)
    await deliverMails()

    const subjects = Object.fromEntries(server.arrived.map(({ to, subject }) => [to[0], subject]))
    assert.sameMembers(Object.keys(subjects), ['ru@buyer.test', 'kk@buyer.test', 'en@buyer.test'])
    assert.match(subjects['kk@buyer.test'], /ведомосі/)
    assert.match(subjects['en@buyer.test'], /^Statement SET-/)
    const english = server.arrived.find(({ to }) => to[0] === 'en@buyer.test')!
    assert.match(english.attachments[0].name, /_en_[\d_-]+\.xlsx$/)
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'statement_mailed' AND partner_id = ?`,
      partner.id
    )
    assert.isTrue(change.automatic)
    assert.lengthOf(change.recipients, 3)
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE name = 'mail_sent' AND partner_id = ?`,
      partner.id
    )
    assert.equal(n, 3)
  })

  test('an issued statement is mailed once, however many workers run', async ({ assert }) => {
    mailTo('smtp://127.0.0.1:1')
    const { partner } = await aClosableMonth()
    await aContact(partner, { email: TO, getsStatements: true })
    await issueFor(partner)

    await ownerRows('ALTER TABLE mails RENAME TO mails_away')
    try {
      await queueIssuedStatementMails()
    } finally {
      await ownerRows('ALTER TABLE mails_away RENAME TO mails')
    }
    await Promise.all([
      queueIssuedStatementMails(),
      queueIssuedStatementMails(),
      queueIssuedStatementMails(),
    ])

    const mails = await mailsOf(partner)
    assert.lengthOf(mails, 1)
  })

  test('each statement of a backlog names the person who issued it', async ({ assert }) => {
    mailTo('smtp://127.0.0.1:1')
    const { partner, client, event } = await aSale()
    await setTerms(partner)
    await aContact(partner, { email: TO, getsStatements: true })
    const issuers = ['aigul@platform.test', 'marat@platform.test']
    const periods = [
      { seat: 'seat-2-1', by: '-3 months' },
      { seat: 'seat-2-2', by: '-2 months' },
    ]
    for (const [index, { seat, by }] of periods.entries()) {
      await sell(client, event.id, [seat])
      await moveInTime(partner, by)
      const actor = { kind: 'staff', name: issuers[index], requestId: null } as const
      await new IssueStatement().handle({ partnerCode: partner.code, actor })
    }

    await queueIssuedStatementMails()

    const mails = await rows(
      'SELECT asked_by FROM mails WHERE partner_id = ? ORDER BY statement_id',
      partner.id
    )
    assert.deepEqual(
      mails.map(({ asked_by: askedBy }) => askedBy),
      issuers
    )
  })

  test('a statement whose issue is not in the journal is logged, stays undecided, and blocks no other', async ({
    assert,
  }) => {
    mailTo('smtp://127.0.0.1:1')
    const [broken, sound] = [await anIssuedForAll(), await anIssuedForAll()]
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       DELETE FROM journal USING free WHERE name = 'statement_issued' AND partner_id = ?`,
      broken.partner.id
    )
    const logged: unknown[] = []
    const error = logger.error.bind(logger)
    logger.error = ((...values: unknown[]) => void logged.push(values[0])) as typeof logger.error
    try {
      await queueIssuedStatementMails()
    } finally {
      logger.error = error
    }

    assert.lengthOf(await mailsOf(sound.partner), 1)
    assert.lengthOf(await mailsOf(broken.partner), 0)
    const { statementId } = broken
    assert.containsSubset(logged, [{ statement: statementId }])
    const decided = await rows(
      'SELECT 1 FROM statement_mailings WHERE statement_id = ?',
      statementId
    )
    assert.lengthOf(decided, 0)
    await ownerRows('INSERT INTO statement_mailings (statement_id) VALUES (?)', statementId)
  })

  test('a statement withdrawn before the job runs is not mailed', async ({ assert }) => {
    mailTo('smtp://127.0.0.1:1')
    const { partner } = await aClosableMonth()
    await aContact(partner, { email: TO, getsStatements: true })
    const { statementId } = await issueFor(partner)
    await new SupersedeStatement().handle({ statementId, reason: 'Ошибка', actor: TESTER })

    await queueIssuedStatementMails()

    const mails = await mailsOf(partner)
    assert.lengthOf(mails, 0)
  })

  test('no mail is promised or sent while e-mail is off', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    await aContact(partner, { email: TO, getsStatements: true })
    const { statementId } = await issueFor(partner)
    await queueIssuedStatementMails()
    const [mails, { id }] = [
      await mailsOf(partner),
      await one('SELECT id FROM settlement_contacts WHERE partner_id = ?', partner.id),
    ]
    assert.lengthOf(mails, 0)
    const ask = { statementId, contactIds: [id as number], actor: TESTER }
    await assert.rejects(() => new QueueStatementMails().handle(ask), /No mail server/)
  })

  test('a permanent refusal fails at once with the server’s words', async ({ assert }) => {
    const server = await closed(aMailServer({}, [550]))
    const { now, partner } = await aReadyMail(server.url)
    const logged: unknown[] = []
    const warn = logger.warn.bind(logger)
    logger.warn = ((...values: unknown[]) => void logged.push(values)) as typeof logger.warn
    try {
      await deliverMails()
    } finally {
      logger.warn = warn
    }
    const mail = await now()
    assert.include(mail, { state: 'failed', failure: 'refused', attempts: 1 })
    assert.include(mail.failure_words, '550')
    assert.notInclude(JSON.stringify(logged), TO)
    await deliverMails()
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'mail_failed' AND partner_id = ?`,
      partner.id
    )
    assert.containsSubset(change, { failure: 'refused', recipient: TO })
    assert.lengthOf(server.arrived, 0)
  })

  test('a failed mail needs attention until it is sent again', async ({ assert }) => {
    const server = await closed(aMailServer({}, [550]))
    const { ask, partner } = await aReadyMail(server.url)
    const needAHand = async () => {
      const attention = await readSettlementAttention()
      return attention.find(({ kind }) => kind === 'mails_failed')!.count
    }
    const before = await needAHand()
    await deliverMails()
    assert.equal(await needAHand(), before + 1)

    await ask()
    await performRuns(partner)
    await deliverMails()
    const states = await mailsOf(partner)
    assert.deepEqual(
      states.map(({ state }) => state),
      ['failed', 'sent']
    )
    assert.equal(await needAHand(), before)
  })

  test('a refused recipient fails at once too', async ({ assert }) => {
    const unknown = Object.assign(new Error('no such user'), { responseCode: 550 })
    const server = await closed(
      aMailServer({ onRcptTo: (_address, _session, done) => done(unknown) })
    )
    const { now } = await aReadyMail(server.url)
    await deliverMails()
    const mail = await now()
    assert.include(mail, { state: 'failed', failure: 'refused' })
  })

  test('a temporary refusal is retried under the same message id', async ({ assert }) => {
    const server = await closed(aMailServer({}, [451, 451]))
    const { now, id } = await aReadyMail(server.url)
    await deliverMails()
    const first = await now()
    assert.include(first, { state: 'queued', failure: 'deferred', attempts: 1 })
    assert.closeTo(secondsUntil(first.next_at), 60, 5)
    await deliverMails()
    await hasten(id)
    await deliverMails()
    const second = await now()
    assert.include(second, { state: 'queued', attempts: 2 })
    assert.closeTo(secondsUntil(second.next_at), 300, 5)
    await hasten(id)
    await deliverMails()
    const third = await now()
    assert.include(third, { state: 'sent', failure: null, failure_words: null, attempts: 3 })
    assert.deepEqual(
      server.arrived.map(({ headers }) => headers['message-id']),
      [first.message_id]
    )
  })

  test('a mail is given up a day after its first attempt', async ({ assert }) => {
    const server = await closed(aMailServer({}, [451]))
    const { now, id } = await aReadyMail(server.url)
    await ownerRows(
      `UPDATE mails SET attempts = 7, first_tried_at = clock_timestamp() - interval '20 hours' WHERE id = ?`,
      id
    )
    await deliverMails()
    const mail = await now()
    assert.include(mail, { state: 'failed', failure: 'deferred', attempts: 8 })
  })

  test('a mail is retried after a connection lost in transmission', async ({ assert }) => {
    const server = await closed(aMailServer({}, ['dropped']))
    const { now, id } = await aReadyMail(server.url)
    await deliverMails()
    const lost = await now()
    assert.include(lost, { state: 'queued', failure: 'connection' })
    await hasten(id)
    await deliverMails()
    assert.lengthOf(server.arrived, 1)
  })

  test('an unreachable and a silent server are retried', async ({ assert }) => {
    const silent = await closed(aSilentServer())
    const { now, id } = await aReadyMail(silent.url)
    const began = performance.now()
    await deliverMails()
    assert.isBelow(performance.now() - began, 4_000)
    const unanswered = await now()
    assert.include(unanswered, { state: 'queued', failure: 'timeout' })
    mailTo('smtp://127.0.0.1:1')
    await hasten(id)
    await deliverMails()
    const alone = await now()
    assert.include(alone, { state: 'queued', failure: 'connection', attempts: 2 })
  })

  test('a server that answers byte by byte is left after a time limit', async ({ assert }) => {
    let isOver = false
    const server = await closed(
      aMailServer({
        onMailFrom: (_address, _session, done) => void setTimeout(() => !isOver && done(), 3_000),
      })
    )
    const { now } = await aReadyMail(server.url, { silenceMs: 10_000, wholeMs: 800 })
    const began = performance.now()
    await deliverMails()
    isOver = true
    assert.isBelow(performance.now() - began, 2_500)
    const mail = await now()
    assert.include(mail, { state: 'queued', failure: 'timeout' })
  })

  test('two workers at once send a mail once', async ({ assert }) => {
    const server = await closed(aMailServer())
    const { id, now } = await aReadyMail(server.url)
    await Promise.all(Array.from({ length: 6 }, () => deliverMail({ id })))
    assert.lengthOf(server.arrived, 1)
    const mail = await now()
    assert.include(mail, { state: 'sent', attempts: 1 })
  })

  test('a mail of a dead worker is sent after its lease', async ({ assert }) => {
    const server = await closed(aMailServer())
    const { id, now } = await aReadyMail(server.url)
    await claimMail.first({ id, claim: randomUUID() })
    await deliverMails()
    assert.lengthOf(server.arrived, 0)
    await hasten(id)
    await deliverMails()
    assert.lengthOf(server.arrived, 1)
    const mail = await now()
    assert.include(mail, { state: 'sent', attempts: 2 })
  })

  test('a workbook too large for a mail is announced with a contact to ask', async ({ assert }) => {
    const server = await closed(aMailServer())
    const { now, id } = await aReadyMail(server.url)
    const { run_id: runId } = await now()
    // More rows than one book holds come as an archive.
    await ownerRows(
      `UPDATE settlement_run_files SET bytes = 15000001, name = replace(name, '.xlsx', '.zip') WHERE run_id = ?`,
      runId
    )
    await ownerRows(`UPDATE mails SET asked_by = 'finance@platform.test' WHERE id = ?`, id)
    await deliverMails()
    const [{ attachments, text, headers }] = server.arrived
    assert.lengthOf(attachments, 0)
    assert.match(text, /\.zip \(15,0 МБ\) слишком велик.*finance@platform\.test/)
    assert.equal(headers['reply-to'], 'finance@platform.test')
    const mail = await now()
    assert.include(mail, { state: 'sent', attached_sha256: null })
  })

  test('a mail without its file is not sent: deleted, altered or never made', async ({
    assert,
  }) => {
    const server = await closed(aMailServer())
    for (const [failure, spoil] of [
      ['file_gone', 'gone.xlsx'],
      ['file_changed', null],
    ] as const) {
      const { now } = await aReadyMail(server.url)
      const { run_id: runId } = await now()
      const { claim } = await runRow(runId)
      const [{ name }] = await filesOf(runId)
      if (spoil)
        await ownerRows(
          'UPDATE settlement_run_files SET name = ? WHERE run_id = ? AND name = ?',
          spoil,
          runId,
          name
        )
      else await writeFile(join(await runDirectory(runId, claim!), name), 'changed')
      await deliverMails()
      const mail = await now()
      assert.include(mail, { state: 'failed', failure })
    }
    const { now } = await aReadyMail(server.url)
    const { run_id: runId } = await now()
    await ownerRows(
      `UPDATE settlement_runs SET state = 'failed', error = '{"code": "DISK_FULL"}' WHERE id = ?`,
      runId
    )
    await deliverMails()
    const mail = await now()
    assert.include(mail, { state: 'failed', failure: 'no_file' })
    assert.lengthOf(server.arrived, 0)
  })

  test('a statement withdrawn before its mail is sent goes to nobody', async ({ assert }) => {
    const server = await closed(aMailServer())
    const { statementId, id, now } = await aReadyMail(server.url)
    await new SupersedeStatement().handle({ statementId, reason: 'Ошибка', actor: TESTER })
    await deliverMail({ id })
    assert.lengthOf(server.arrived, 0)
    assert.include(await now(), { state: 'failed', failure: 'superseded' })
  })

  test('a name cannot inject a header', async ({ assert }) => {
    const server = await closed(aMailServer())
    const { partner } = await aReadyMail(server.url)
    const name = 'Bad\r\nBcc: thief@evil.test\r\n\r\n<script>alert(1)</script>'
    await ownerRows('UPDATE partners SET name = ? WHERE id = ?', name, partner.id)
    await deliverMails()
    const [{ headers, html, to }] = server.arrived
    assert.deepEqual(to, [TO])
    assert.notProperty(headers, 'bcc')
    assert.notInclude(html, '<script>')
    assert.include(html, '&lt;script&gt;')
  })
})

test.group('Security of mail servers', (group) => {
  let authority: Authority
  group.setup(() => {
    authority = new Authority()
    return () => authority.remove()
  })
  group.each.teardown(async () => {
    mailOff()
    for (const close of closing.splice(0)) await close()
    await giveUpMails()
  })
  const ALONE = { name: 'IP:127.0.0.1', days: 1 }

  test('STARTTLS with an untrusted certificate is refused', async ({ assert }) => {
    const server = await closed(aMailServer(authority.issueAlone(ALONE)))
    const { now, id } = await aReadyMail(server.url)
    await deliverMails()
    const refused = await now()
    assert.include(refused, { state: 'queued', failure: 'tls' })
    assert.lengthOf(server.arrived, 0)
    mailTo(server.url, { anyCertificate: true })
    await hasten(id)
    await deliverMails()
    assert.isTrue(server.arrived[0].isSecure)
  })

  test('smtps with an untrusted certificate is refused', async ({ assert }) => {
    const server = await closed(aMailServer({ ...authority.issueAlone(ALONE), secure: true }))
    const url = server.url.replace('smtp:', 'smtps:')
    const { now, id } = await aReadyMail(url)
    await deliverMails()
    const refused = await now()
    assert.include(refused, { state: 'queued', failure: 'tls' })
    mailTo(url, { anyCertificate: true })
    await hasten(id)
    await deliverMails()
    assert.isTrue(server.arrived[0].isSecure)
  })

  test('a login is used, and a wrong one may be corrected until the mail is given up', async ({
    assert,
  }) => {
    const server = await closed(
      aMailServer({
        ...authority.issueAlone(ALONE),
        authOptional: false,
        onAuth: ({ username, password }, _session, done) =>
          password === 'p@ss:1'
            ? done(null, { user: username })
            : done(Object.assign(new Error('no'), { responseCode: 535 })),
      })
    )
    const withLogin = (password: string) =>
      server.url.replace('//', `//books:${encodeURIComponent(password)}@`)
    const { now, id } = await aReadyMail(withLogin('other'), { anyCertificate: true })
    await deliverMails()
    const refused = await now()
    assert.include(refused, { state: 'queued', failure: 'login' })
    mailTo(withLogin('p@ss:1'), { anyCertificate: true })
    await hasten(id)
    await deliverMails()
    assert.equal(server.arrived[0].user, 'books')
    assert.isTrue(server.arrived[0].isSecure)
  })

  test('a password is never sent in clear text to another machine', async ({ assert }) => {
    const server = await closed(aMailServer())
    const url = server.url.replace('//127.0.0.1', '//books:secret@0.0.0.0')
    const { now } = await aReadyMail(url)
    await deliverMails()
    const mail = await now()
    assert.include(mail, { state: 'queued', failure: 'tls' })
    assert.lengthOf(server.arrived, 0)
  })
})

test.group('Contacts', () => {
  test('an address is added once; invalid addresses and stale changes are refused', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const contactId = await aContact(partner, { email: TO })
    await assert.rejects(() => aContact(partner, { email: TO.toUpperCase() }), /exists/)
    for (const email of ['a@b', 'a@b.kz, c@d.kz', 'a@b.kz\r\nBcc: c@d.kz', '<a@b.kz>', 'a b@c.kz'])
      await assert.rejects(() => aContact(partner, { email }), /parameter/)

    const was = { language: 'ru', getsStatements: false } as const
    const to = { language: 'en', getsStatements: true } as const
    const change = () => new ChangeContact().handle({ contactId, ...to, was, actor: TESTER })
    await change()
    await assert.rejects(change, /meanwhile/)
    await new RemoveContact().handle({ contactId, actor: TESTER })
    await assert.rejects(
      () => new RemoveContact().handle({ contactId, actor: TESTER }),
      /does not exist/
    )
    const names = await rows(
      `SELECT name FROM journal WHERE partner_id = ? AND name LIKE 'settlement_contact%' ORDER BY id`,
      partner.id
    )
    assert.lengthOf(names, 3)
  })

  test('contacts of another partner get no mail', async ({ assert }) => {
    mailTo('smtp://127.0.0.1:1')
    const { statementId } = await anIssued()
    const { contactId: other } = await anIssued()
    const ask = { statementId, contactIds: [other], actor: TESTER }
    await assert.rejects(() => new QueueStatementMails().handle(ask), /meanwhile/)
    mailOff()
  })
})
