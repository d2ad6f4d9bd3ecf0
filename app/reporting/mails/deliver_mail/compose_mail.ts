import { localDay } from '#shared/days'
import type { Language } from '#shared/languages'
import platform from '#config/platform'
import type { ClaimedMail, WorkbookFile } from '#reporting/mails/deliver_mail/deliver_mail_sql'
import { MAIL_WORDS, type MailWords } from '#reporting/mails/deliver_mail/mail_words'
import type { InvariantName } from '#invariants/invariant_names'
import type { OpenCases } from '#defects/cases/open_cases_of_period'
import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import { statementNumber } from '#ledger/statement_status'
import { abs } from '#shared/tenge'
import { isAddress } from '#mail/address'
import { senderAddress, type Message } from '#mail/send'
import { UNCHECKED } from '#reporting/mails/queue_mail'

type Values = Record<string, string>

export type Attached =
  { file: WorkbookFile; content: Buffer | null } | { file: null; content: null }

/** The message: plain text, and the same as simple HTML. It has the figures of its statement or report, and the open cases. */
export function composeMail(
  mail: ClaimedMail,
  { file, content }: Attached,
  openCases: OpenCases | null
): Message {
  const words = MAIL_WORDS[mail.language]
  const values = valuesOf(mail, words)
  const { subject, lead } = kindOf(mail, words)
  const fill = (text: string) =>
    oneLine(text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''))
  if (file) Object.assign(values, fileValues(file, mail.language))
  const lines = [
    words.hello,
    lead,
    ...figuresOf(mail, openCases, words),
    ...(file ? [content ? words.file : words.tooLarge] : []),
    ...(file ? [words.ask] : []),
    words.automatic,
  ].map(fill)
  return {
    messageId: mail.messageId,
    to: mail.recipient,
    language: mail.language,
    subject: fill(subject),
    replyTo: values.asker,
    text: `${lines.join('\n\n')}\n`,
    html: htmlOf(mail.language, lines),
    attachment: file && content ? { name: file.name, content } : null,
  }
}

/** Closing balance, sales and refunds or amount due, and open cases, a line each. */
function figuresOf(mail: ClaimedMail, openCases: OpenCases | null, words: MailWords) {
  const lines: string[] = []
  const closingTenge = closingOf(mail)
  if (closingTenge !== null) lines.push(closingTenge < 0n ? words.weOwe : words.partnerOwes)
  if (mail.purpose === 'report' && mail.runFigures?.salesTenge) lines.push(words.sales)
  if (mail.purpose === 'statement' && mail.paymentStatus) lines.push(words.due)
  if (openCases) lines.push(openCasesLine(openCases, words))
  return lines
}

/** Of a report, the closing balance that its file has, which for a draft is the one of that moment. */
function closingOf({ purpose, closingTenge, runFigures }: ClaimedMail) {
  if (purpose === 'statement') return closingTenge
  return runFigures?.closingTenge ? BigInt(runFigures.closingTenge) : null
}

function openCasesLine({ cases, exposure }: OpenCases, words: MailWords) {
  if (cases === 0) return words.noOpenCases
  const sums = EXPOSED_PARTIES.filter((party) => exposure[party] > 0).map(
    (party) => `${words.parties[party]} ${tengeText(BigInt(exposure[party]))}`
  )
  const atRisk = sums.length > 0 ? sums.join(', ') : tengeText(0n)
  return words.openCases.replace('{cases}', String(cases)).replace('{atRisk}', atRisk)
}

function kindOf({ purpose, runState, invariant }: ClaimedMail, words: MailWords) {
  if (invariant === UNCHECKED) return words.unchecked
  if (invariant !== null) return words.invariant
  if (purpose === 'alert') return words.alert
  if (purpose === 'statement') return words.statement
  return runState === 'succeeded' ? words.report : words.failed
}

function valuesOf(mail: ClaimedMail, words: MailWords): Values {
  const { statementNumber: number, reportKind, from, to, askedBy } = mail
  const { dueTenge, paidTenge, paymentStatus, runFigures } = mail
  const closingTenge = closingOf(mail)
  return {
    partner: mail.partnerName ?? '',
    invariant: words.invariants[mail.invariant as InvariantName] ?? mail.invariant ?? '',
    number: number === null ? '' : statementNumber(number),
    report: words.reports[reportKind as keyof MailWords['reports']] ?? '',
    period: from && to ? periodOf(new Date(from), new Date(to)) : '',
    closing: closingTenge === null ? '' : tengeText(abs(closingTenge)),
    sales: tengeText(BigInt(runFigures?.salesTenge ?? 0)),
    refunds: tengeText(abs(BigInt(runFigures?.refundsTenge ?? 0))),
    due: dueTenge === null ? '' : tengeText(dueTenge),
    paid: paidTenge === null ? '' : tengeText(paidTenge),
    payment: paymentStatus ? words.paymentStatuses[paymentStatus].toLowerCase() : '',
    code: mail.runError?.code ?? mail.runState?.toUpperCase() ?? '',
    ...ordersOf(mail.orderIds ?? []),
    backOffice: `${platform.appUrl}/back-office`,
    // An actor in the shell has no address.
    asker: isAddress(askedBy) ? askedBy : senderAddress()!,
  }
}

const MAX_ORDERS = 20

/** The first twenty; the page lists all. */
const ordersOf = (ids: string[]) => ({
  count: String(ids.length),
  orders: ids.slice(0, MAX_ORDERS).join(', ') + (ids.length > MAX_ORDERS ? ', …' : ''),
})

const fileValues = ({ name, bytes, sha256 }: WorkbookFile, language: Language) => ({
  name,
  sha256,
  size: MEGABYTES[language].format(bytes / 1_000_000),
})

const megabytes = (locale: string) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
/** `1,4` in Russian and Kazakh, `1.4` in English. */
const MEGABYTES: Record<Language, Intl.NumberFormat> = {
  ru: megabytes('ru'),
  kk: megabytes('kk'),
  en: megabytes('en'),
}

/** `102 400 ₸` with spaces that don't break. */
const tengeText = (tenge: bigint) => `${tenge.toLocaleString('ru-RU')}\u00a0₸`

/** `01.12.2026` */
const dayOf = (at: Date) => localDay(at).split('-').reverse().join('.')

const periodOf = (from: Date, to: Date) => `${dayOf(from)} – ${dayOf(new Date(to.getTime() - 1))}`

/** Partners' names are typed by people: no line break may get into a subject. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const ENTITIES: Values = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one])

const htmlOf = (language: string, lines: string[]) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body>` +
  `${lines.map((line) => `<p>${escape(line)}</p>`).join('')}</body></html>`
