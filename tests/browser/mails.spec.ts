import SupersedeStatement from '#ledger/actions/supersede_statement'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { aMailServer, mailOff, mailTo } from '#tests/support/mail_server'
import {
  aClosableMonth,
  aContact,
  deliverMails,
  hasten,
  issueFor,
  mailsOf,
  giveUpMails,
} from '#tests/support/mails'
import { TESTER } from '#tests/support/fixtures'
import { one, ownerRows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { runJob } from '#worker/jobs'
import { test } from '@japa/runner'

const TO = 'books@buyer.test'

test.group('Statement e-mail', (group) => {
  const closing: (() => unknown)[] = []
  group.each.setup(async () => {
    await ownerRows('UPDATE report_schedules SET is_active = false')
    return async () => {
      mailOff()
      for (const close of closing.splice(0)) await close()
      await giveUpMails()
    }
  })
  async function aServer(answers: number[] = []) {
    const server = await aMailServer({}, answers)
    closing.push(server.close)
    mailTo(server.url)
    return server
  }

  test('a contact is added, changed and removed; an invalid address is shown at its field', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aClosableMonth()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByText('E-mail is off').waitFor()
    await page.getByRole('button', { name: 'Add a contact' }).click()
    const dialog = page.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: 'Add a contact' })
    await dialog.getByLabel('E-mail').fill('nobody at all')
    await submit.click()
    await dialog.getByText('not an e-mail').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByLabel('E-mail').fill(TO)
    await submit.click()
    await page.getByText('The contact is added').first().waitFor()
    await page.getByText('every statement', { exact: true }).waitFor()
    await assertAccessible(page, assert)

    await page.getByRole('button', { name: `Change the contact: ${TO}` }).click()
    await dialog.getByRole('checkbox').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('by hand only').waitFor()
    await page.getByRole('button', { name: `Remove the contact: ${TO}` }).click()
    await dialog.getByText('No new mails go there').waitFor()
    await dialog.getByRole('button', { name: 'Remove the contact' }).click()
    await page.getByText('No contacts').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a statement is sent, refused, and sent again', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const server = await aServer([451, 550])
    const { partner } = await aClosableMonth()
    await aContact(partner, { email: TO, language: 'en' })
    await aContact(partner, { email: 'other@buyer.test', language: 'ru' })
    const { statementId } = await issueFor(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/statements/${statementId}`)
    await page.getByText('not sent to anybody yet').waitFor()
    await page.getByRole('button', { name: 'Send by e-mail' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Recipients: .*books@buyer.test \(English\)/).waitFor()
    await dialog.getByRole('checkbox', { name: 'other@buyer.test' }).uncheck()
    await dialog.getByText(/Recipients: books@buyer.test \(English\)\./).waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Send by e-mail' }).click()
    await page.getByText('1 e-mail is in the queue').first().waitFor()
    await page.getByText('In the queue', { exact: true }).waitFor()
    await performRuns()
    await deliverMails()
    await page.getByText('The server asks to wait').waitFor()
    await assertAccessible(page, assert)
    const [{ id }] = await mailsOf(partner)
    await hasten(id)
    await deliverMails()
    await page.getByText('Not sent', { exact: true }).waitFor()

    await page.getByRole('button', { name: `Send again: ${TO}` }).click()
    await dialog.getByRole('button', { name: 'Send by e-mail' }).click()
    await page.getByText('In the queue', { exact: true }).waitFor()
    await performRuns()
    await deliverMails()
    await page.getByText('Sent', { exact: true }).waitFor()
    await assertAccessible(page, assert)
    assert.lengthOf(server.arrived, 1)
    assert.match(server.arrived[0].subject, /^Statement SET-/)
    await new SupersedeStatement().handle({ statementId, reason: 'Wrong contract', actor: TESTER })
    await page.reload()
    await page.getByText('Sent', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Send/ }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('a reader sees what was sent and cannot send', async ({ assert, browserContext }) => {
    await aServer()
    const { partner } = await aClosableMonth()
    await aContact(partner, { email: TO, getsStatements: true })
    const { statementId } = await issueFor(partner)
    await runJob('mail_statements', {})
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/statements/${statementId}`)
    await page.getByText(TO).waitFor()
    assert.equal(await page.getByRole('button', { name: /Send/ }).count(), 0)
    await page.goto('/back-office/report-schedules')
    assert.equal(await page.getByRole('button', { name: 'Create a schedule' }).count(), 0)
  })

  test('a report is scheduled, sent now, changed, paused and deleted', async ({
    assert,
    browser,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const server = await aServer()
    const { partner } = await aClosableMonth()
    const { name } = await one('SELECT name FROM partners WHERE id = ?', partner.id)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/runs')
    await page.getByRole('link', { name: 'Scheduled reports' }).click()
    await page.getByRole('button', { name: 'Create a schedule' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Partner').click()
    await page
      .getByPlaceholder('Choose a partner')
      .last()
      .fill(name as string)
    await page.getByRole('option', { name: name as string }).click()
    await dialog.getByRole('combobox', { name: 'How often' }).click()
    await page.getByRole('option', { name: 'Every month' }).click()
    await dialog.getByText('Day 1 of each month at 09:00').waitFor()
    const recipients = dialog.getByLabel('Recipients')
    await recipients.fill('boss@buyer.test, nobody')
    const submit = dialog.getByRole('button', { name: 'Create a schedule' })
    await submit.click()
    await dialog.getByText('not an e-mail').waitFor()
    await assertAccessible(page, assert)
    await recipients.fill(`boss@buyer.test\n${TO}`)
    await submit.click()
    const line = page.getByRole('row').filter({ hasText: name as string })
    await line.getByText('Day 1 of each month at 09:00').waitFor()
    await assertAccessible(page, assert)

    await line.getByRole('button', { name: /^Send now/ }).click()
    await dialog.getByText(`Recipients: boss@buyer.test, ${TO}.`).waitFor()
    await dialog.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('The report is being made, 2 e-mails will be sent').first().waitFor()
    await performRuns()
    await deliverMails()
    assert.lengthOf(server.arrived, 2)
    await page.reload()
    await line.getByText('mails sent: 2').waitFor()

    await line.getByRole('button', { name: /^Change/ }).click()
    const change = dialog.getByRole('button', { name: 'Change' })
    assert.equal(await recipients.inputValue(), `boss@buyer.test\n${TO}`)
    await dialog.getByRole('combobox', { name: 'How often' }).click()
    await page.getByRole('option', { name: 'Every week' }).click()
    await assertAccessible(page, assert)
    await change.click()
    await line.getByText('Mondays at 09:00').waitFor()

    await line.getByRole('button', { name: 'Pause' }).click()
    await line.getByText('paused').waitFor()
    await line.getByRole('button', { name: 'Resume' }).click()
    await line.getByRole('button', { name: 'Pause' }).waitFor()
    await line.getByRole('button', { name: /^Delete/ }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await line.waitFor({ state: 'detached' })
    const elsewhere = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const auditor = await elsewhere.newPage()
    await openAs(auditor, 'auditor', '/back-office/journal')
    await auditor.getByText('How often: Every month → Every week').first().waitFor()
    await elsewhere.close()
    assert.deepEqual(complaints, [])
  })
})
