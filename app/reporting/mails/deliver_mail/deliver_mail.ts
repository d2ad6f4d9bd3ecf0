import {
  claimMail,
  selectWorkbook,
  settleNotSent,
  settleSent,
  type ClaimedMail,
} from '#reporting/mails/deliver_mail/deliver_mail_sql'
import { readOpenCasesOfPeriod } from '#defects/cases/open_cases_of_period'
import { composeMail, type Attached } from '#reporting/mails/deliver_mail/compose_mail'
import { delayAfter } from '#reporting/mails/deliver_mail/retry'
import { runDirectory } from '#runs/run_files'
import { maySendMail, send, type Outcome } from '#mail/send'
import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Servers commonly take 20 to 25 MB; base64 makes an attachment a third larger. */
const MAX_ATTACHMENT_BYTES = 15_000_000
/** More than the retries of one day. */
const MAX_ATTEMPTS = 15

/**
 * Sends a due mail, unless another worker has claimed it. Sends it twice only when a worker dies after the server has accepted
 * the mail and before we have stored that; both have the same Message-ID.
 */
export default async function deliverMail({ id }: { id: number }): Promise<void> {
  if (!maySendMail()) return
  const claim = randomUUID()
  const mail = await claimMail.first({ id, claim })
  if (!mail) return
  // The worker process died during each attempt.
  if (mail.attempts > MAX_ATTEMPTS) return fail(mail, claim, 'crashed')
  if (mail.statementStatus === 'superseded') return fail(mail, claim, 'superseded')
  const attached = await attachmentOf(mail)
  if (typeof attached === 'string') return fail(mail, claim, attached)
  const message = composeMail(mail, attached, await openCasesOf(mail))
  const outcome = await send(message)
  if (outcome.failure !== null) return settle(mail, claim, outcome)
  await transaction(async (trx) => {
    const sha256 = attached.content ? attached.file.sha256 : null
    const settled = await settleSent.first({ id, claim, subject: message.subject, sha256 }, trx)
    if (!settled) return
    await record('mail_sent', { mail: id, ...aboutOf(mail), sha256 }, subjectsOf(mail), trx)
  })
}

/** Of a report, the open cases that its file has. Of a statement, those of its period, which each attempt counts again. */
async function openCasesOf({ purpose, runFigures, partnerId, from, to }: ClaimedMail) {
  if (purpose === 'report') return runFigures?.openCases ?? null
  if (purpose !== 'statement' || partnerId === null || !from || !to) return null
  return readOpenCasesOfPeriod({ partnerId, from: new Date(from), to: new Date(to) })
}

/** The run's file, or a failure code when it is missing or changed. A failed report is mailed without a file. */
async function attachmentOf(mail: ClaimedMail): Promise<Attached | string> {
  const { runId, runState, runClaim } = mail
  if (runId === null) return { file: null, content: null }
  if (runState === 'expired') return 'file_gone'
  if (runState !== 'succeeded')
    return mail.purpose === 'report' ? { file: null, content: null } : 'no_file'
  const file = await selectWorkbook.first({ runId })
  if (!file) return 'no_file'
  if (file.bytes > MAX_ATTACHMENT_BYTES) return { file, content: null }
  const path = join(await runDirectory(runId, runClaim!), file.name)
  const content = await readFile(path).catch(() => null)
  if (!content) return 'file_gone'
  const isAsMade = createHash('sha256').update(content).digest('hex') === file.sha256
  return isAsMade ? { file, content } : 'file_changed'
}

const fail = (mail: ClaimedMail, claim: string, failure: string) =>
  settle(mail, claim, { failure, serverReply: null, isFinal: true })

/** Stores the failure. The server's reply goes into the mail's row only: it may repeat addresses. */
async function settle(
  mail: ClaimedMail,
  claim: string,
  { failure, serverReply, isFinal }: Outcome
) {
  const delay = isFinal ? null : delayAfter(mail.attempts)
  await transaction(async (trx) => {
    const settled = await settleNotSent.first(
      { mailId: mail.id, claim, delay, failure, serverReply },
      trx
    )
    if (settled?.state !== 'failed') return
    const entry = { mail: mail.id, ...aboutOf(mail), failure: failure! }
    await record('mail_failed', entry, subjectsOf(mail), trx)
  })
  logger.warn({ mail: mail.id, attempt: mail.attempts, failure }, 'a mail was not sent')
}

const aboutOf = ({ purpose, runId, recipient }: ClaimedMail) => ({
  purpose,
  run: runId,
  recipient,
})
const subjectsOf = ({ partnerId }: ClaimedMail) => ({
  actor: CLOCK,
  partnerId: partnerId ?? undefined,
})
