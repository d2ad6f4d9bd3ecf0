import ConfirmRegister, {
  type ConfirmRegisterInput,
} from '#reconciliation/actions/confirm_register'
import AddRegisterFile, {
  type AddRegisterFileInput,
} from '#reconciliation/actions/add_register_file'
import AddRegisterSheets from '#reconciliation/actions/add_register_sheets'
import ChangeRegisterSource from '#reconciliation/actions/change_register_source'
import DecideFeeRule from '#reconciliation/actions/decide_fee_rule'
import DecideMatch, { type MatchChange } from '#reconciliation/actions/decide_match'
import SetRegisterMapping from '#reconciliation/actions/set_register_mapping'
import UploadRegister, { type UploadRegisterInput } from '#reconciliation/actions/upload_register'
import { findSource, type SourceSettings } from '#reconciliation/store/register_source'
import { placeOfLine } from '#reconciliation/store/place_of_line'
import { partsOf, undecidedSheetsOf } from '#reconciliation/store/register_parts'
import { findRegister } from '#reconciliation/store/find_register'
import type { ColumnMapping } from '#register_reading/register_table'
import type { RowsAre } from '#register_reading/register_part'
import matchRegister from '#worker/run_kinds/match_register'
import readRegister from '#worker/run_kinds/read_register'
import type { RunContext } from '#runs/run_body'
import type { Refusal } from '#shared/refusals'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { bookOfSheets } from '#tests/support/workbook_file'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DAY_MS = 86_400_000
const OFFSET_MS = 5 * 3_600_000

/** Midnight at the venues, `days` from today's. */
export const midnight = (days: number) => {
  const today = Math.floor((Date.now() + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS
  return new Date(today + days * DAY_MS)
}
/** Yesterday and today: an order that a test has just sold is within. */
export const THESE_DAYS = { from: midnight(-1), to: midnight(1) }

/**
 * Without a chosen source a register is of the partner's first source that has none of its days: those of following months are of
 * one source, two of the same days are of two.
 */
export async function upload(
  partner: Pick<TestPartner, 'code'>,
  content: string | Buffer,
  more: Partial<UploadRegisterInput> = {}
) {
  const path = join(tmpdir(), `register-${randomUUID()}`)
  await writeFile(path, content)
  const declared = { declaredRows: null, declaredTenge: null }
  return new UploadRegister().handle({
    partnerCode: partner.code,
    path,
    fileName: 'реестр.csv',
    actor: TESTER,
    ...THESE_DAYS,
    ...declared,
    ...(more.sourceId === undefined && (await freeSourceOf(partner, { ...THESE_DAYS, ...more }))),
    ...more,
  })
}

async function freeSourceOf(
  { code }: Pick<TestPartner, 'code'>,
  { from, to }: Pick<UploadRegisterInput, 'from' | 'to'>
) {
  const [free] = await rows(
    `SELECT s.id FROM register_sources s JOIN partners p ON p.id = s.partner_id
      WHERE p.code = ? AND NOT EXISTS (
        SELECT 1 FROM partner_registers r
         WHERE r.source_id = s.id AND r.state <> 'dropped' AND r.period_from < ? AND r.period_to > ?)
      ORDER BY s.id LIMIT 1`,
    code,
    to,
    from
  )
  return free ? { sourceId: free.id as number } : { sourceName: `source ${randomUUID()}` }
}

export const context = (more: Partial<RunContext> = {}): RunContext => ({
  runId: 0,
  partnerId: null,
  actor: TESTER,
  language: 'ru',
  directory: '',
  signal: new AbortController().signal,
  progress: () => {},
  ...more,
})

export const ASKER = { actor: TESTER, language: 'ru' } as const

export async function versionOf(registerId: number) {
  const { version } = await findRegister(registerId)
  return version
}

/** Maps the columns as proposed, unless a mapping is given. */
export async function mapColumns(registerId: number, mapping?: ColumnMapping) {
  const { preview, version } = await findRegister(registerId)
  const chosen = mapping ?? preview.proposal.mapping
  await new SetRegisterMapping().handle({ registerId, version, mapping: chosen, actor: TESTER })
}

type Setup = Partial<Omit<SourceSettings, 'isSetUp'>>
interface MatchedRegisterInput extends Partial<UploadRegisterInput> {
  mapping?: ColumnMapping
  /** What a person answers to what the file suggests about its source. */
  setup?: Setup
}

/** A person says that the source has all sales and refunds, although the file has one kind alone. */
export const COVERS_ALL: Setup = { coversSales: true, coversRefunds: true }

/** Uploads a file, maps, reads and matches it. */
export async function matchedRegister(
  partner: Pick<TestPartner, 'code'>,
  content: string | Buffer,
  { mapping, setup, ...more }: MatchedRegisterInput = {}
) {
  const { registerId } = await upload(partner, content, more)
  await mapColumns(registerId, mapping)
  await readAndMatch(registerId)
  if (setup) await setUpAndRead(registerId, setup)
  return registerId
}

/** A register of two sheets, each with one sale; `second` is sold in the sheet «Сайт». */
export async function registerOfTwoSheets() {
  const sale = await aSale()
  const first = await soldOrderOf(sale, ['seat-2-1'])
  const second = await soldOrderOf(sale, ['seat-2-2'])
  const book = bookOfSheets({
    Касса: [HEADER, await lineOf(first)],
    Сайт: [HEADER, await lineOf(second)],
  })
  const registerId = await matchedRegister(sale.partner, book, { fileName: 'a.xlsx' })
  await addSheets(registerId, { Сайт: 'as_stated' })
  return { ...sale, registerId, second }
}

/** Adds a further file to a register, and reads and matches it again where it was read. */
export async function addFile(
  registerId: number,
  content: string | Buffer,
  more: Partial<AddRegisterFileInput> = {}
) {
  const path = join(tmpdir(), `part-${randomUUID()}`)
  await writeFile(path, content)
  const { isUnread } = await new AddRegisterFile().handle({
    registerId,
    version: await versionOf(registerId),
    path,
    fileName: 'b.csv',
    rowsAre: 'as_stated',
    declaredRows: null,
    declaredTenge: null,
    actor: TESTER,
    ...more,
  })
  if (isUnread) await readAndMatch(registerId)
}

/** Makes sheets that nobody has decided about parts of the register; reads and matches it again where it was read. */
export async function addSheets(registerId: number, rowsAre: Record<string, RowsAre>) {
  const register = await findRegister(registerId)
  const undecided = await undecidedSheetsOf(register)
  const sheets = Object.entries(rowsAre).map(([sheet, are]) => {
    const { sha256 } = undecided.find((found) => found.sheet === sheet)!
    return { sha256, sheet, rowsAre: are }
  })
  const { version } = register
  const change = { registerId, version, sheets, actor: TESTER }
  const { isUnread } = await new AddRegisterSheets().handle(change)
  if (isUnread) await readAndMatch(registerId)
}

/** Says how the source of a register is set up; registers of it that are not confirmed may become unread. */
export async function setUpSource(registerId: number, setup: Setup) {
  const { sourceId } = await findRegister(registerId)
  const { version } = await findSource(sourceId)
  await new ChangeRegisterSource().handle({
    sourceId,
    version,
    actor: TESTER,
    language: 'ru',
    isSetupDecided: true,
    ...setup,
  })
}

/** Sets up the source of a register, and reads and matches the register again where that changes its rows. */
export async function setUpAndRead(...setup: Parameters<typeof setUpSource>) {
  await setUpSource(...setup)
  const [registerId] = setup
  if ((await stateOfRegister(registerId)) === 'mapped') await readAndMatch(registerId)
}

export async function stateOfRegister(registerId: number) {
  const { state } = await findRegister(registerId)
  return state
}

/** `Возвраты 3` for each stored row of a register: its sheet or file, and its row there. */
export async function placesOf(registerId: number) {
  const parts = await partsOf(await findRegister(registerId))
  const found = await rows(
    'SELECT line FROM partner_register_rows WHERE register_id = ? ORDER BY line',
    registerId
  )
  return found.map(({ line }) => {
    const { part, row } = placeOfLine(parts, line as number)
    return `${part.sheet ?? part.fileName} ${row}`
  })
}

/** Reads and matches a register, as workers do in two runs. */
export async function readAndMatch(registerId: number, more: Partial<RunContext> = {}) {
  await readRegister({ registerId }, context(more))
  await matchRegister({ registerId }, context(more))
}

export const matchAgain = (registerId: number) => matchRegister({ registerId }, context())

/** Accepts the first fee rule of a register, or takes it back, and matches the register again. */
export async function decideFeeRule(registerId: number, isKept = true) {
  const version = await versionOf(registerId)
  await new DecideFeeRule().handle({ registerId, version, place: 0, isKept, ...ASKER })
  await matchAgain(registerId)
}

export async function confirmRegister(
  registerId: number,
  more: Pick<ConfirmRegisterInput, 'replaces' | 'waiver'> = {}
) {
  const version = await versionOf(registerId)
  await new ConfirmRegister().handle({ registerId, version, ...ASKER, ...more })
}

/** Uploads a file, matches it and confirms the register. */
export async function confirmedRegister(...file: Parameters<typeof matchedRegister>) {
  const registerId = await matchedRegister(...file)
  await confirmRegister(registerId)
  return registerId
}

export async function decideMatches(registerId: number, change: MatchChange, category?: string) {
  const found = await rows(
    `SELECT id AS "caseId", version FROM partner_register_cases
      WHERE register_id = ? AND (?::text IS NULL OR category = ?) ORDER BY place`,
    registerId,
    category ?? null,
    category ?? null
  )
  const cases = found as { caseId: number; version: number }[]
  return new DecideMatch().handle({ registerId, cases, change, actor: TESTER })
}

/** `MATCHED EXACT [2] TIX-2026-000001`: category, step, lines and orders of every case, in order. */
export async function matchesOf(registerId: number) {
  const found = await rows(
    `SELECT c.category || ' ' || c.step || ' [' ||
            coalesce((SELECT string_agg(line::text, ',' ORDER BY line) FROM partner_register_case_rows l WHERE l.case_id = c.id), '')
            || '] ' || coalesce((SELECT string_agg(order_id, ',' ORDER BY order_id) FROM partner_register_case_orders o
                                  WHERE o.case_id = c.id), '') AS match
       FROM partner_register_cases c WHERE c.register_id = ? ORDER BY c.place`,
    registerId
  )
  return found.map(({ match }) => (match as string).trim())
}

export async function categoriesOf(registerId: number) {
  const matches = await matchesOf(registerId)
  return matches.map((match) => match.split(' ')[0])
}

/** The fields of an order that a partner knows and writes into its register. */
export async function partnerFieldsOf(orderId: string) {
  const found = await one(
    `SELECT id, partner_order_id AS key, payment_external_id AS payment, total_tenge::text AS tenge,
            to_char(coalesce(payment_paid_at, created_at) AT TIME ZONE interval '5 hours', 'DD.MM.YYYY HH24:MI:SS') AS at
       FROM orders WHERE id = ?`,
    orderId
  )
  return found as Record<'id' | 'key' | 'payment' | 'tenge' | 'at', string>
}

export const HEADER = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Тип операции'

/** A line of a file for an order, as the partner would write it. */
export async function lineOf(
  orderId: string,
  more: Partial<Awaited<ReturnType<typeof partnerFieldsOf>>> = {}
) {
  const { key, payment, at, tenge } = { ...(await partnerFieldsOf(orderId)), ...more }
  return [key, payment, at, tenge, tenge.startsWith('-') ? 'Возврат' : 'Оплата'].join(';')
}

export const fileOf = (...lines: string[]) => [HEADER, ...lines].join('\r\n')

export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => {
      const { refusalCode, details } = error as Refusal
      if (!refusalCode) throw error
      return { refusalCode, ...details } as Record<string, unknown>
    }
  )

/** A sale with `count` paid orders of one seat each, at most 20. */
export async function saleOfOrders(count: number) {
  const sale = await aSale()
  const orders: string[] = []
  for (let seat = 1; seat <= count; seat++) {
    const place = seat <= 10 ? `seat-2-${seat}` : `seat-3-${seat - 10}`
    orders.push(await soldOrderOf(sale, [place]))
  }
  return { ...sale, orders }
}

/** A paid order of these seats. */
export async function soldOrderOf(
  sale: Pick<TestPartner, 'client'> & { event: { id: string } },
  seats: string[]
) {
  const { order_id: orderId } = await sell(sale.client, sale.event.id, seats)
  return orderId as string
}

/** The tickets of an order, in their order. */
export async function ticketsOf(orderId: string) {
  const found = await rows('SELECT id FROM tickets WHERE order_id = ? ORDER BY position', orderId)
  return found.map(({ id }) => id as string)
}

/** A refused confirm of 12,000 for an order that we do not have, as the API would have recorded it. */
export const addRefusedConfirm = (
  { id }: Pick<TestPartner, 'id'>,
  { orderId, paymentId, isSigned }: { orderId: string; paymentId: string; isSigned: boolean }
) =>
  ownerRows(
    `INSERT INTO confirm_attempts (partner_id, order_id_sent, external_payment_id, amount_tenge, request_id, received_at, signature_valid, http_status, code)
     VALUES (?, ?, ?, 12000, gen_random_uuid(), now(), ?, 409, 'ORDER_CANCELLED')`,
    id,
    orderId,
    paymentId,
    isSigned
  )
