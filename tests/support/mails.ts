import IssueStatement from '#ledger/actions/issue_statement'
import { AddContact } from '#reporting/mails/actions/contacts'
import type { Language } from '#shared/languages'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { runJob } from '#worker/jobs'

/** A partner whose month is over and can be closed. */
export async function aClosableMonth() {
  const sale = await aSale()
  await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await setTerms(sale.partner)
  await moveInTime(sale.partner, '-45 days')
  return sale
}

export const issueFor = ({ code: partnerCode }: TestPartner) =>
  new IssueStatement().handle({ partnerCode, actor: TESTER })

interface ContactGiven {
  email: string
  language?: Language
  getsStatements?: boolean
}

export async function aContact({ code: partnerCode }: TestPartner, given: ContactGiven) {
  const input = { language: 'ru' as const, getsStatements: false, ...given }
  const { contactId } = await new AddContact().handle({ ...input, partnerCode, actor: TESTER })
  return contactId
}

/** As a worker does: all mails whose turn it is. */
export async function deliverMails() {
  for (const { job, data } of await runJob('send_mails', {})) await runJob(job, data)
}

export interface MailRow {
  id: number
  message_id: string
  run_id: number
  recipient: string
  state: string
  attempts: number
  next_at: Date
  failure: string | null
  failure_words: string | null
  attached_sha256: string | null
  subject: string | null
}

export const mailsOf = async ({ id }: TestPartner) =>
  (await rows('SELECT * FROM mails WHERE partner_id = ? ORDER BY id', id)) as MailRow[]

/** As if its time had come. */
export const hasten = (id: number) =>
  ownerRows(
    `UPDATE mails SET next_at = clock_timestamp(), lease_until = CASE WHEN lease_until IS NOT NULL THEN clock_timestamp() END
      WHERE id = ?`,
    id
  )

/** What is still in the outbox is none of the next test's. */
export const giveUpMails = () =>
  ownerRows(
    `UPDATE mails SET state = 'failed', failure = 'over', ended_at = clock_timestamp(), lease_until = NULL
      WHERE state IN ('queued', 'sending')`
  )
