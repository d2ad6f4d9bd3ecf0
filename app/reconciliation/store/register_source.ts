import type { PaymentIdOrigin, RowReading } from '#register_reading/row_reading'
import { namesOtherCurrency, type AmountContent, type Unit } from '#register_reading/read_amount'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { DAY_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'
import type { RowContent, RowMeaning, WordMeaning } from '#register_reading/read_kind'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * How a source is set up: one stream of documents of a partner, such as "shop, sales", "acquirer", "refunds". It has at most one
 * confirmed register for a day (ADR 20).
 */
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
    coversSales: source.coversSales,
    coversRefunds: source.coversRefunds,
    decimalSigns: {},
    isOtherCurrency: namesOtherCurrency(header),
    unstatedKind: null,
    utcOffsetMinutes: source.utcOffsetMinutes,
    dayStartMinutes: source.dayStartMinutes,
    days: { from, to },
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

export const SOURCE_COLUMNS = `id, partner_id AS "partnerId", name, row_is AS "rowIs", covers_sales AS "coversSales",
  covers_refunds AS "coversRefunds", words, rows_show AS "rowsShow", amounts_are AS "amountsAre", unit,
  payment_ids_are AS "paymentIdsAre",
  utc_offset_minutes AS "utcOffsetMinutes", day_start_minutes AS "dayStartMinutes",
  is_set_up AS "isSetUp", version`

const selectSources = statement<RegisterSource, { partnerId: number }>(
  'register_sources',
  `SELECT ${SOURCE_COLUMNS} FROM register_sources WHERE partner_id = :partnerId ORDER BY id`
)
const selectSource = statement<RegisterSource, { id: number }>(
  'register_source',
  `SELECT ${SOURCE_COLUMNS} FROM register_sources WHERE id = :id`
)
const lockById = statement<RegisterSource, { id: number }>(
  'register_source_lock',
  `SELECT ${SOURCE_COLUMNS} FROM register_sources WHERE id = :id FOR NO KEY UPDATE`
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
