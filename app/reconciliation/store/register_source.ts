import { normaliseHeader } from '#register_reading/header_words'
import type { PaymentIdOrigin, RowReading } from '#register_reading/row_reading'
import { namesOtherCurrency, type AmountContent, type Unit } from '#register_reading/read_amount'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { DAY_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'
import type { RowContent, RowMeaning, WordMeaning } from '#register_reading/read_kind'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'
import { takeTurn } from '#shared/turn'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * A source is one stream of documents of a partner: "shop, sales", "acquirer", "refunds". It has at most one confirmed register
 * for a day (ADR 20).
 *
 * Example of the source that is proposed for a file, by its headers:
 *   sources: 1 with Order, Total; 2 with Payment, Sum
 *   file with Total, Order       → source 1, the order of columns does not matter
 *   file with Order, Total, Fee  → none of them: a new source, named after the file
 */
/** How a source is set up. */
export interface SourceSettings {
  name: string
  rowIs: RowMeaning
  /** What is missing from a register means something only for what its source covers. */
  coversSales: boolean
  coversRefunds: boolean
  /** The partner's words for operations, in small letters. */
  words: Record<string, WordMeaning>
  rowsShow: RowContent
  amountsAre: AmountContent
  unit: Unit
  paymentIdsAre: PaymentIdOrigin
  /** The clock of its times without a zone. */
  utcOffsetMinutes: number
  /** When a day begins, after midnight by its clock; negative for the evening before. */
  dayStartMinutes: number
  /** Whether a person has said how its rows are read. */
  isSetUp: boolean
}
export interface RegisterSource extends SourceSettings {
  id: number
  partnerId: number
  version: number
}
/** An existing source of the partner, or the name of a new one; neither: the one that fits the file. */
export interface SourceChoice {
  sourceId?: number
  sourceName?: string
}

/** Nothing is returned that was sold earlier: a date before is a mistake. */
const LONGEST_PAST_MS = 3 * 366 * DAY_MS

/** How the rows of a register are read, as its source is set up. */
export function readingOf(
  source: RegisterSource,
  { from, to, preview, mapping }: Pick<PartnerRegister, 'from' | 'to' | 'preview' | 'mapping'>
): RowReading {
  const header = mapping?.amount === undefined ? '' : (preview.headers[mapping.amount] ?? '')
  return {
    words: source.words,
    rowIs: source.rowIs,
    rowsShow: source.rowsShow,
    amountsAre: source.amountsAre,
    unit: source.unit,
    paymentIdsAre: source.paymentIdsAre,
    decimalSigns: {},
    isOtherCurrency: namesOtherCurrency(header),
    unstatedKind: null,
    utcOffsetMinutes: source.utcOffsetMinutes,
    dayStartMinutes: source.dayStartMinutes,
    possible: {
      from: new Date(from.getTime() - LONGEST_PAST_MS),
      to: new Date(Math.max(to.getTime(), Date.now()) + DAY_MS),
    },
  }
}

/**
 * How much later than midnight at the venues, which are in UTC+5, a day of the source begins.
 *
 * Example of a source in UTC+3 whose day begins at 03:00: 120 + 180 minutes, as 03:00 there is 05:00 at the venues.
 */
export const dayShiftOf = ({
  utcOffsetMinutes,
  dayStartMinutes,
}: Pick<SourceSettings, 'utcOffsetMinutes' | 'dayStartMinutes'>) =>
  PLATFORM_OFFSET_MINUTES - utcOffsetMinutes + dayStartMinutes

/** SQL: the period of a register keeps its days, which begin as its source says. */
export const SHIFT_DAYS = `period_from = period_from + (:shiftMinutes - day_shift_minutes) * interval '1 minute',
          period_to = period_to + (:shiftMinutes - day_shift_minutes) * interval '1 minute', day_shift_minutes = :shiftMinutes`

export const LONGEST_SOURCE_NAME = 100

const COLUMNS = `id, partner_id AS "partnerId", name, row_is AS "rowIs", covers_sales AS "coversSales",
  covers_refunds AS "coversRefunds", words, rows_show AS "rowsShow", amounts_are AS "amountsAre", unit,
  payment_ids_are AS "paymentIdsAre",
  utc_offset_minutes AS "utcOffsetMinutes", day_start_minutes AS "dayStartMinutes",
  is_set_up AS "isSetUp", version`

const selectSources = statement<RegisterSource, { partnerId: number }>(
  'register_sources',
  `SELECT ${COLUMNS} FROM register_sources WHERE partner_id = :partnerId ORDER BY id`
)
const selectSource = statement<RegisterSource, { id: number }>(
  'register_source',
  `SELECT ${COLUMNS} FROM register_sources WHERE id = :id`
)
const lockById = statement<RegisterSource, { id: number }>(
  'register_source_lock',
  `SELECT ${COLUMNS} FROM register_sources WHERE id = :id FOR NO KEY UPDATE`
)
const selectByName = statement<RegisterSource, { partnerId: number; name: string }>(
  'register_source_by_name',
  `SELECT ${COLUMNS} FROM register_sources WHERE partner_id = :partnerId AND lower(name) = lower(:name)`
)
const insertSource = statement<
  RegisterSource,
  { partnerId: number; name: string; createdBy: string }
>(
  'register_source_insert',
  `INSERT INTO register_sources (partner_id, name, created_by) VALUES (:partnerId, :name, :createdBy)
   ON CONFLICT (partner_id, lower(name)) DO NOTHING RETURNING ${COLUMNS}`
)
// The newest registers of each source have its present headers.
const selectHeaders = statement<{ sourceId: number; headers: string[] }, { partnerId: number }>(
  'register_source_headers',
  `SELECT source_id AS "sourceId", preview -> 'headers' AS headers FROM partner_registers
    WHERE partner_id = :partnerId AND state <> 'dropped' ORDER BY id DESC LIMIT 200`
)

export const listSources = (partnerId: number, client?: QueryClientContract) =>
  selectSources({ partnerId }, client)

export const findSource = async (id: number, client?: QueryClientContract) =>
  (await selectSource.first({ id }, client)) ?? refuse('NO_SUCH', { what: 'source' })

/** Sources of a partner are made and renamed one after the other. */
export const takeTurnForSources = (partnerId: number, trx: TransactionClientContract) =>
  takeTurn(`register sources of ${partnerId}`, trx)

/** Locks a source, so that its registers are confirmed one after the other. */
export const lockSource = (id: number, trx: TransactionClientContract) => lockById.one({ id }, trx)

/** The chosen source of a partner; a new name makes a new source. Refuses NO_SUCH for a source of somebody else. */
export async function chosenSource(
  { sourceId, sourceName }: SourceChoice,
  { partnerId, createdBy }: { partnerId: number; createdBy: string },
  trx: TransactionClientContract
): Promise<RegisterSource | null> {
  if (sourceId !== undefined) {
    const found = await selectSource.first({ id: sourceId }, trx)
    return found?.partnerId === partnerId ? found : refuse('NO_SUCH', { what: 'source' })
  }
  if (sourceName === undefined) return null
  return ensureSource(partnerId, assertName(sourceName), createdBy, trx)
}

/** The source of this name, whatever the letter case, or a new one. */
async function ensureSource(
  partnerId: number,
  name: string,
  createdBy: string,
  trx: TransactionClientContract
) {
  const created = await insertSource.first({ partnerId, name, createdBy }, trx)
  return created ?? (await selectByName.one({ partnerId, name }, trx))
}

/** A name as it is stored; refuses one without letters or digits, and one that is too long. */
export function assertName(sent: string) {
  const name = storable(sent.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  if (!/[\p{L}\p{N}]/u.test(name)) refuseField('sourceName', 'required', 'fields.required')
  if ([...name].length > LONGEST_SOURCE_NAME)
    refuseField('sourceName', 'maxLength', 'fields.too_long')
  return name
}

/** The source whose registers have the same headers, if there is exactly one. */
export async function sourceByHeaders(
  partnerId: number,
  headers: readonly string[],
  client?: QueryClientContract
): Promise<number | null> {
  const wanted = headersKey(headers)
  const known = await selectHeaders({ partnerId }, client)
  const fitting = known.filter((one) => headersKey(one.headers) === wanted)
  const ids = new Set(fitting.map(({ sourceId }) => sourceId))
  return ids.size === 1 ? [...ids][0] : null
}

/** Headers as a set. */
const headersKey = (headers: readonly string[]) =>
  [...new Set(headers.map(normaliseHeader).filter((header) => header !== ''))].sort().join('\n')

/** A new source with the file's name, or with a number behind it where that is taken. */
export async function createSourceFor(
  fileName: string,
  { partnerId, createdBy }: { partnerId: number; createdBy: string },
  trx: TransactionClientContract
) {
  const base = nameOfFile(fileName)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} (${number})`
    const created = await insertSource.first({ partnerId, name, createdBy }, trx)
    if (created) return created
  }
}

/** `C:\реестр.ноябрь.xlsx` → `реестр.ноябрь`, with room for a number. */
export function nameOfFile(fileName: string) {
  const plain = fileName.replace(/\.[a-z]{1,4}$/i, '').trim()
  return (
    [...plain]
      .slice(0, LONGEST_SOURCE_NAME - 10)
      .join('')
      .trim() || '?'
  )
}
