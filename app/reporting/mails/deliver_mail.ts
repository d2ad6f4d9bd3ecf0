import {
  claimMail,
  selectWorkbook,
  settleNotSent,
  settleSent,
  type ClaimedMail,
} from '#reporting/mails/queries/outbox'
import { composeMail, type Attached } from '#reporting/mails/compose'
import { delayAfter } from '#reporting/mails/retry'
import { runDirectory } from '#runs/run_files'
import { isMailOn, send, type Outcome } from '#mail/send'
import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What servers commonly take, after base64 has made it a third larger. */
const LARGEST_BYTES = 15_000_000
/** More than a day's tries take. */
const MOST_ATTEMPTS = 15

/**
 * Sends a mail whose turn it is, unless another worker has it. A worker that dies between the server's last word and ours
 * leaves it to be sent once more, under the same Message-ID; nothing else sends one twice.
 */
export async function deliverMail(id: number): Promise<void> {
  if (!isMailOn()) return
  const claim = randomUUID()
  const mail = await claimMail.first({ id, claim })
  if (!mail) return
  // Whoever tried it died of it, each time.
  if (mail.attempts > MOST_ATTEMPTS) return fail(mail, claim, 'crashed')
  if (mail.statementStatus === 'superseded') return fail(mail, claim, 'superseded')
  const attached = await attachmentOf(mail)
  if (typeof attached === 'string') return fail(mail, claim, attached)
  const message = composeMail(mail, attached)
  const outcome = await send(message)
  if (outcome.failure !== null) return settle(mail, claim, outcome)
  await transaction(async (trx) => {
    const sha256 = attached.content ? attached.file.sha256 : null
    const settled = await settleSent.first({ id, claim, subject: message.subject, sha256 }, trx)
    if (!settled) return
    await record('mail_sent', { mail: id, ...aboutOf(mail), sha256 }, subjectsOf(mail), trx)
  })
}

/** The file of the run as it was made, or why there is none to send; a report that failed is told without one. */
async function attachmentOf(mail: ClaimedMail): Promise<Attached | string> {
  const { runId, runState, runClaim } = mail
  if (runId === null) return { file: null, content: null }
  if (runState === 'expired') return 'file_gone'
  if (runState !== 'succeeded')
    return mail.purpose === 'report' ? { file: null, content: null } : 'no_file'
  const file = await selectWorkbook.first({ runId })
  if (!file) return 'no_file'
  if (file.bytes > LARGEST_BYTES) return { file, content: null }
  const path = join(await runDirectory(runId, runClaim!), file.name)
  const content = await readFile(path).catch(() => null)
  if (!content) return 'file_gone'
  const isAsMade = createHash('sha256').update(content).digest('hex') === file.sha256
  return isAsMade ? { file, content } : 'file_changed'
}

const fail = (mail: ClaimedMail, claim: string, failure: string) =>
  settle(mail, claim, { failure, words: null, isFinal: true })

/** Neither the log nor the journal's entry of a failure tells what the server said: it repeats addresses. */
async function settle(mail: ClaimedMail, claim: string, { failure, words, isFinal }: Outcome) {
  const delay = isFinal ? null : delayAfter(mail.attempts)
  await transaction(async (trx) => {
    const settled = await settleNotSent.first(
      { mailId: mail.id, claim, delay, failure, words },
      trx
    )
    if (settled?.state !== 'failed') return
    const told = { mail: mail.id, ...aboutOf(mail), failure: failure! }
    await record('mail_failed', told, subjectsOf(mail), trx)
  })
  logger.warn({ mail: mail.id, attempt: mail.attempts, failure }, 'a mail was not sent')
}

const aboutOf = ({ purpose, runId, recipient }: ClaimedMail) => ({
  purpose,
  run: runId,
  recipient,
})
const subjectsOf = ({ partnerId }: ClaimedMail) => ({ actor: CLOCK, partnerId })
