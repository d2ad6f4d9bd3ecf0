import CreateEvent from '#catalog/actions/create_event'
import ChangeEventStatus from '#catalog/actions/change_event_status'
import { ApproveRequest } from '#ledger/actions/decide_request'
import IssueStatement from '#ledger/actions/issue_statement'
import SetIssuer from '#ledger/actions/set_issuer'
import SetTerms from '#ledger/actions/set_terms'
import { listIssuers } from '#ledger/issuer'
import { periodAround, type Period } from '#ledger/periods'
import { FIRST_TERMS_FROM } from '#ledger/terms'
import ConfirmRegister from '#reconciliation/actions/confirm_register'
import SetRegisterMapping from '#reconciliation/actions/set_register_mapping'
import UploadRegister from '#reconciliation/actions/upload_register'
import { findRegister } from '#reconciliation/store/find_register'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import { DAY_MS, HOUR_MS } from '#shared/days'
import { LANGUAGES } from '#shared/languages'
import { statement } from '#shared/statement'
import { storageDirectory } from '#shared/storage'
import { transaction } from '#shared/transaction'
import RequestDocument from '#workbooks/document/request_document'
import performRun from '#worker/perform_run'
import readRegister from '#worker/run_kinds/read_register'
import type { RunContext } from '#runs/run_body'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { giveGrant } from '../partners.js'
import { SECOND_SEEDER, SEEDER } from '../seeder.js'
import { monthOf, planMonth } from './month_plan.js'
import { sellMonth, type SellingPartner, type SoldOrder } from './sell_month.js'
import { writeRegister, type RegisterFormat } from './write_register.js'

interface SettledPartner {
  code: string
  legalName: string
  bin: string
  contractNumber: string
  registers: RegisterFormat
  /** Whether the earlier month is closed, after a register without differences. */
  isEarlierClosed: boolean
}

const PARTNERS: SettledPartner[] = [
  {
    code: 'kassa',
    legalName: 'ТОО «Касса»',
    bin: '180340012346',
    contractNumber: 'К-12',
    registers: 'xlsx',
    isEarlierClosed: true,
  },
  {
    code: 'afisha',
    legalName: 'ТОО «Афиша»',
    bin: '190540067898',
    contractNumber: 'А-7',
    registers: 'csv',
    isEarlierClosed: false,
  },
]

const ISSUER = {
  legalName: 'ТОО «Платформа»',
  bin: '170140001232',
  address: 'Алматы, пр. Абая, 1',
  city: 'Алматы',
  signatory: 'А. Сериков, директор',
}

const TERMS = {
  validFrom: FIRST_TERMS_FROM,
  period: 'month',
  commissionBp: 750,
  vatBp: 1600,
  rounding: 'half_up',
  graceMinutes: 60,
  disputeDays: 14,
  silenceAgrees: true,
  minPaymentTenge: 0n,
  penaltyTenge: 0n,
  refundEvidenceDays: 3,
  allowsCombinedPayments: false,
  contractDate: '2026-01-15',
  usedTicketsOfCancelledEvents: 'keep',
  paymentDays: null,
  signatory: 'Б. Омаров, директор',
} as const

const TITLE = { ru: 'Открытие сезона', kk: 'Маусымның ашылуы', en: 'Opening of the season' }
const PRICES = { standard: 12_000n, vip: 45_000n, fan: 9_000n, invitation: 5_000n }

const findShow = statement<{ id: string }, { title: string }>(
  'sandbox_months_event',
  `SELECT id FROM events WHERE title->>'en' = :title LIMIT 1`
)
const findPartner = statement<{ id: number; apiKey: string }, { code: string }>(
  'sandbox_months_partner',
  `SELECT p.id, k.api_key AS "apiKey" FROM partners p JOIN partner_keys k ON k.partner_id = p.id
    WHERE p.code = :code ORDER BY k.created_at LIMIT 1`
)
/** The event is older than its sales. */
const backdateEvent = statement<object, { eventId: string; at: Date }>(
  'sandbox_months_backdate_event',
  'UPDATE events SET created_at = :at WHERE id = :eventId'
)

/** Sells, once, what `month_plan.ts` says, and brings the registers of it. */
export async function seedMonths(hallId: number) {
  if (await findShow.first({ title: TITLE.en })) return
  const [earlier, latest] = pastMonths(new Date())
  await setIssuer()
  const eventId = await createShow(hallId, earlier.from)
  for (const partner of PARTNERS) await settle(partner, eventId, [earlier, latest])
}

/** The month before this one, and the one before that, in order of time. */
export function pastMonths(now: Date): [Period, Period] {
  const before = ({ from }: Period) => periodAround(new Date(from.getTime() - 1), 'month')
  const latest = before(periodAround(now, 'month'))
  return [before(latest), latest]
}

async function setIssuer() {
  const [known] = await listIssuers({})
  if (known) return
  await new SetIssuer().handle({ ...ISSUER, replacesId: null, actor: SEEDER })
}

async function createShow(hallId: number, salesFrom: Date) {
  const startsAt = new Date(Math.ceil((Date.now() + 45 * DAY_MS) / DAY_MS) * DAY_MS + 14 * HOUR_MS)
  const { eventId } = await new CreateEvent().handle({
    hallId,
    title: TITLE,
    description: { ru: `${TITLE.ru}: продажи прошлых месяцев` },
    type: 'concert',
    ageRating: '6+',
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3 * HOUR_MS),
    salesStartAt: null,
    maxSeatsPerBooking: 8,
    prices: PRICES,
    actor: SEEDER,
  })
  await backdateEvent({ eventId, at: new Date(salesFrom.getTime() - DAY_MS) })
  await new ChangeEventStatus().handle({ eventId, trigger: 'open', reason: null, actor: SEEDER })
  return eventId
}

async function settle(partner: SettledPartner, eventId: string, months: [Period, Period]) {
  const { code, legalName, bin, contractNumber, isEarlierClosed } = partner
  await giveGrant(code, eventId)
  const terms = { ...TERMS, legalName, bin, contractNumber }
  const { requestId } = await new SetTerms().handle({ ...terms, partnerCode: code, actor: SEEDER })
  await new ApproveRequest().handle({ requestId: requestId!, actor: SECOND_SEEDER })
  const seller = { ...(await findPartner.one({ code })), eventId }
  for (const [n, month] of months.entries()) {
    const isClosed = isEarlierClosed && n === 0
    const sold = await sell(partner, seller, month, { hasDifferences: !isClosed })
    const registerId = await uploadRegister(partner, month, sold)
    if (isClosed) await close(code, registerId)
    else await askForCheck(code, month)
  }
}

const sell = (
  { code }: SettledPartner,
  seller: SellingPartner,
  month: Period,
  options: { hasDifferences: boolean }
) => transaction((trx) => sellMonth(planMonth(code, month, options), seller, trx))

async function uploadRegister(
  { code, registers }: SettledPartner,
  { from, to }: Period,
  sold: SoldOrder[]
) {
  // The file is moved, which only works within one file system.
  const directory = await mkdtemp(join(await storageDirectory('registers'), 'incoming-'))
  const path = join(directory, `register.${registers}`)
  const declared = await writeRegister(path, registers, sold)
  const { registerId } = await new UploadRegister().handle({
    partnerCode: code,
    path,
    fileName: `${code}-${monthOf(from)}.${registers}`,
    sourceName: 'Эквайринг',
    from,
    to,
    ...declared,
    actor: SEEDER,
  })
  await rm(directory, { recursive: true })
  return registerId
}

const ASKER = { actor: SEEDER, language: 'ru' } as const
/** The work of a worker, done here. */
const CONTEXT: RunContext = {
  ...ASKER,
  runId: 0,
  partnerId: null,
  directory: '',
  signal: new AbortController().signal,
  progress: () => {},
}

/** Confirms the month's register, issues its statement, and asks for its workbooks, which the worker writes. */
async function close(partnerCode: string, registerId: number) {
  const { version, preview } = await findRegister(registerId)
  const { mapping } = preview.proposal
  await new SetRegisterMapping().handle({ registerId, version, mapping, actor: SEEDER })
  const { result } = await readRegister({ registerId }, CONTEXT)
  // The run that reading asks for: a worker would find the register confirmed, and fail.
  await performRun({ id: Number(result.matchRun) })
  const matched = await findRegister(registerId)
  await new ConfirmRegister().handle({ registerId, version: matched.version, ...ASKER })
  const { statementId } = await new IssueStatement().handle({ partnerCode, actor: SEEDER })
  for (const language of LANGUAGES)
    await new RequestDocument().handle({
      kind: 'workbook',
      partnerCode,
      params: { partnerCode, statementId, hasTwins: false },
      language,
      actor: SEEDER,
    })
}

/** The rules look only at the last days by themselves. */
const askForCheck = (partnerCode: string, { from, to }: Period) =>
  new AskForRun().handle({
    kind: 'check_period',
    partnerCode,
    params: { partnerCode, from: from.toISOString(), to: to.toISOString() },
    ...ASKER,
  })
