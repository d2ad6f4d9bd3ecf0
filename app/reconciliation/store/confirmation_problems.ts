import type { ValueProblem } from '#register_reading/reading'
import type { ColumnMapping } from '#register_reading/register_table'
import type { RegisterField } from '#register_reading/header_words'
import type { RegisterPreview } from '#reconciliation/store/register_preview'
import type { SetupProposal } from '#register_reading/propose_setup'
import { coverageProposals } from '#reconciliation/store/propose_coverage'
import { selectEarlyRefunds } from '#reconciliation/store/early_refunds'
import {
  FOREIGN_ROWS,
  foreignRowParams,
  type ForeignRowParams,
} from '#reconciliation/store/foreign_orders'
import type { StoredControl } from '#reconciliation/store/stored_values'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * What keeps a register from being confirmed, unless somebody waives it with a reason.
 *
 * Example, of a file that declares 36,000:
 *   2 | o-1 | 12 000 | Оплата       read
 *   3 | o-2 | 12,50  | Оплата       its amount is not readable, though there is one: unread money
 *   4 | o-3 |        | Оплата       no amount, so no money
 *   5 | o-4 | 12 000 | Корректура   an unknown word
 *   6 | o-5 | 24 000 | Частично возвращён   where rows show states: how much went back is not known, unread money
 *   7 | TIX-00000042 | 12 000 | Оплата   an order of another partner
 *   8 | o-1 | −12 000 | Возврат, three days before the charge of o-1: an early refund
 *   control: 24,000 was read, 36,000 is declared
 */
export interface ConfirmationProblems {
  /** The file has no rows: perhaps it is the wrong one, or was saved empty. */
  noRows: true | null
  control: ControlProblem | null
  unreadMoney: {
    count: number
    /** Of the amounts that could be read. */
    tenge: string
    /** The first ones. */
    rows: (FoundInRow & { tenge: string | null })[]
  } | null
  unknownWords: { count: number; tenge: string; words: UnknownWord[] } | null
  /** Refunds that are dated before anything was charged: no evidence. */
  earlyRefunds: {
    count: number
    tenge: string
    /** The first ones. */
    rows: (FoundInRow & { tenge: string; chargedOn: string })[]
  } | null
  /** Rows that name orders of ours which belong to other partners: perhaps the file is another partner's. */
  foreignOrders: {
    count: number
    tenge: string
    /** The first ones. */
    rows: (FoundInRow & { order: string })[]
  } | null
  /** What the file suggests about its source, and nobody has said; only a person's answer helps. */
  setupUnanswered: SetupProposal[] | null
  /** What a person has said about the source, and the sums of known orders contradict. */
  setupContradicted: SetupProposal[] | null
}
/** What stands in a row, and the header of its column; null where the file has no such column. */
export interface FoundInRow {
  line: number
  column: string | null
  found: string
}
export interface UnknownWord {
  word: string
  count: number
  tenge: string
  /** The first rows with it. */
  lines: number[]
}
/** Figures that differ: those of the whole register, and where it has none of its own, those of its parts. */
export interface ControlProblem {
  count: { declared: number; read: number } | null
  sum: { declaredTenge: string; readTenge: string } | null
  parts?: {
    number: number
    count: ControlProblem['count']
    sum: ControlProblem['sum']
  }[]
}
/** Kept with the register: what was wrong, and why somebody confirmed it nevertheless. */
export interface StoredWaiver {
  reason: string
  problems: ConfirmationProblems
}

/** As it is stored: by the field, which the mapping leads to a column. */
type InFields<Problem extends { rows: FoundInRow[] }> = Omit<Problem, 'rows'> & {
  rows: (Omit<Problem['rows'][number], 'column'> & { field: RegisterField })[]
}

const MOST_SHOWN = 20
/** Problems that hide money, or why it does not count. */
const UNREAD = [
  'AMOUNT_UNREADABLE',
  'AMOUNT_HAS_FRACTION',
  'AMOUNT_OTHER_CURRENCY',
  'AMOUNT_TOO_LARGE',
  'AMOUNT_AMBIGUOUS',
  'AMOUNT_IN_TIYN',
  'RETURNED_UNKNOWN',
  'MOMENT_UNREADABLE',
  'MOMENT_NOT_REAL',
  'MOMENT_OUT_OF_RANGE',
  'MOMENT_AMBIGUOUS',
] satisfies ValueProblem[]

// Money that no order can be found for, an amount that is there and cannot be read, or one that went back and is not named. What
// rows of unknown words are is asked first. A value that is missing is named by the amount or the word that asks for it.
const selectUnread = statement<
  InFields<NonNullable<ConfirmationProblems['unreadMoney']>>,
  { registerId: number }
>(
  'register_unread_money',
  `WITH unread AS (
     SELECT r.line, r.amount_tenge::text AS tenge, coalesce(p.field, 'amount') AS field,
            coalesce(p.found, r.amount_tenge::text) AS found
       FROM partner_register_rows r
       LEFT JOIN LATERAL (
            SELECT problem ->> 'found' AS found, NOT problem ->> 'code' LIKE 'MOMENT%' AS is_of_money,
                   CASE problem ->> 'code' WHEN 'FEE_UNKNOWN' THEN 'amount' WHEN 'RETURNED_UNKNOWN' THEN 'kind'
                        ELSE problem ->> 'field' END AS field
              FROM jsonb_array_elements(r.problems) problem
             WHERE problem ->> 'code' IN (${UNREAD.map((code) => `'${code}'`).join(', ')})
               AND problem ->> 'field' <> 'fee' OR problem ->> 'code' = 'FEE_UNKNOWN'
             ORDER BY is_of_money DESC LIMIT 1) p ON true
      WHERE r.register_id = :registerId AND r.problems <> '[]'
        AND (r.is_unparseable AND r.amount_tenge <> 0 AND NOT r.problems @> '[{"code": "KIND_UNKNOWN"}]' OR p.is_of_money))
   SELECT count(*)::integer AS count, coalesce(sum(tenge::bigint), 0)::text AS tenge,
          (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.line), '[]')
             FROM (SELECT * FROM unread ORDER BY line LIMIT ${MOST_SHOWN}) f) AS rows
     FROM unread`
)
const selectUnknownWords = statement<UnknownWord, { registerId: number }>(
  'register_unknown_words',
  `SELECT min(problem ->> 'found') AS word, count(*)::integer AS count, coalesce(sum(r.amount_tenge), 0)::text AS tenge,
          (array_agg(r.line ORDER BY r.line))[1:${MOST_SHOWN}] AS lines
     FROM partner_register_rows r, jsonb_array_elements(r.problems) problem
    WHERE r.register_id = :registerId AND r.problems <> '[]' AND problem ->> 'code' = 'KIND_UNKNOWN'
    GROUP BY lower(problem ->> 'found') ORDER BY count DESC, word`
)

const selectForeign = statement<
  InFields<NonNullable<ConfirmationProblems['foreignOrders']>>,
  ForeignRowParams
>(
  'register_foreign_orders',
  `WITH ${FOREIGN_ROWS},
   found AS (SELECT DISTINCT ON (line) line, "order", tenge, field, found FROM named ORDER BY line, "order", field)
   SELECT count(*)::integer AS count, coalesce(sum(tenge), 0)::text AS tenge,
          (SELECT coalesce(jsonb_agg(to_jsonb(f) - 'tenge' ORDER BY f.line), '[]')
             FROM (SELECT * FROM found ORDER BY line LIMIT ${MOST_SHOWN}) f) AS rows
     FROM found`
)

const selectIsSetUp = statement<{ isSetUp: boolean }, { sourceId: number }>(
  'register_source_is_set_up',
  'SELECT is_set_up AS "isSetUp" FROM register_sources WHERE id = :sourceId'
)

interface ReadRegister {
  id: number
  partnerId: number
  sourceId: number
  control: StoredControl | null
  mapping: ColumnMapping | null
  preview: Pick<RegisterPreview, 'headers'>
}

/** Reads what is wrong with a register that has been read. */
export async function readProblems(
  { id, partnerId, sourceId, control, mapping, preview }: ReadRegister,
  client?: QueryClientContract
): Promise<ConfirmationProblems> {
  const unread = await selectUnread.one({ registerId: id }, client)
  const words = await selectUnknownWords({ registerId: id }, client)
  const early = await selectEarlyRefunds.one({ registerId: id, most: MOST_SHOWN }, client)
  const foreign = await selectForeign.one(foreignRowParams({ id, partnerId }), client)
  const { isSetUp } = await selectIsSetUp.one({ sourceId }, client)
  // Coverage was once kept with the others; it is asked of the rows now.
  const proposals = (control?.proposals ?? []).filter(({ about }) => about !== 'covers')
  // Which kinds its rows have depends on whether they show states.
  const isAnswered = isSetUp || proposals.some(({ about }) => about === 'rowsShow')
  const covers = isAnswered ? [] : await coverageProposals({ id, sourceId }, client)
  const inColumn = <Row extends { field: RegisterField }>({ field, ...row }: Row) => ({
    ...row,
    column: preview.headers[mapping?.[field] ?? -1] || null,
  })
  return {
    noRows: control?.rowsIn === 0 ? true : null,
    control: controlProblem(control),
    unreadMoney: unread.count > 0 ? { ...unread, rows: unread.rows.map(inColumn) } : null,
    unknownWords: words.length > 0 ? sumOfWords(words.map(inSmallLetters)) : null,
    earlyRefunds:
      early.count > 0
        ? { ...early, rows: early.rows.map((row) => inColumn({ ...row, field: 'paidAt' })) }
        : null,
    foreignOrders: foreign.count > 0 ? { ...foreign, rows: foreign.rows.map(inColumn) } : null,
    setupUnanswered: isSetUp ? null : someOf([...proposals, ...covers]),
    setupContradicted: isSetUp ? someOf(proposals.filter(({ isProven }) => isProven)) : null,
  }
}

export const hasProblems = (problems: ConfirmationProblems) =>
  Object.values(problems).some((problem) => problem !== null)

const someOf = <One>(all: One[]) => (all.length > 0 ? all : null)

/** Refuses NO_ROWS, CONTROL_DIFFERS, UNREAD_MONEY, UNKNOWN_WORDS, EARLY_REFUNDS, FOREIGN_ORDERS or SETUP_CONTRADICTED, with rows and sums. */
export function refuseProblems({
  noRows,
  control,
  unreadMoney,
  unknownWords,
  earlyRefunds,
  foreignOrders,
  setupContradicted,
}: ConfirmationProblems): never {
  if (noRows) refuse('NO_ROWS')
  if (control) refuse('CONTROL_DIFFERS', control)
  if (unreadMoney) refuse('UNREAD_MONEY', unreadMoney)
  if (unknownWords) refuse('UNKNOWN_WORDS', unknownWords)
  if (earlyRefunds) refuse('EARLY_REFUNDS', earlyRefunds)
  if (foreignOrders) refuse('FOREIGN_ORDERS', foreignOrders)
  return refuse('SETUP_CONTRADICTED', { proposals: setupContradicted! })
}

function controlProblem(control: StoredControl | null): ConfirmationProblems['control'] {
  if (!control || (control.count !== 'DIFFERS' && control.sum !== 'DIFFERS')) return null
  const { parts = [] } = control
  const ofParts = parts
    .map((part) => ({ number: part.number, ...differencesIn(part.control) }))
    .filter(({ count, sum }) => count !== null || sum !== null)
  return { ...differencesIn(control), ...(parts.length > 1 && { parts: ofParts }) }
}

function differencesIn({
  declared,
  rowsIn,
  sumTenge,
  count,
  sum,
}: Pick<StoredControl, 'declared' | 'rowsIn' | 'sumTenge' | 'count' | 'sum'>) {
  const [isCountOther, isSumOther] = [count === 'DIFFERS', sum === 'DIFFERS']
  return {
    count:
      isCountOther && declared.count !== null ? { declared: declared.count, read: rowsIn } : null,
    sum:
      isSumOther && declared.sumTenge !== null
        ? { declaredTenge: declared.sumTenge, readTenge: sumTenge }
        : null,
  }
}

/** As a word is remembered; PostgreSQL does not know every letter that JavaScript knows. */
const inSmallLetters = (one: UnknownWord): UnknownWord => ({
  ...one,
  word: one.word.toLowerCase(),
})

function sumOfWords(words: UnknownWord[]): ConfirmationProblems['unknownWords'] {
  const tenge = words.reduce((sum, word) => sum + BigInt(word.tenge), 0n)
  const count = words.reduce((sum, word) => sum + word.count, 0)
  return { count, tenge: String(tenge), words }
}
