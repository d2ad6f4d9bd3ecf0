import type { ValueProblem } from '#register_reading/reading'
import type { SetupProposal } from '#register_reading/propose_setup'
import { FOREIGN_ROWS, foreignTo, type NamedForeign } from '#reconciliation/store/foreign_orders'
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
    rows: { line: number; tenge: string | null; found: string }[]
  } | null
  unknownWords: { count: number; tenge: string; words: UnknownWord[] } | null
  /** Rows that name orders of ours which belong to other partners: perhaps the file is another partner's. */
  foreignOrders: {
    count: number
    tenge: string
    /** The first ones. */
    rows: { line: number; order: string }[]
  } | null
  /** What the file suggests about its source, and nobody has said; only a person's answer helps. */
  setupUnanswered: SetupProposal[] | null
  /** What a person has said about the source, and the sums of known orders contradict. */
  setupContradicted: SetupProposal[] | null
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
// rows of unknown words are is asked first.
const selectUnread = statement<
  { count: number; tenge: string; rows: { line: number; tenge: string | null; found: string }[] },
  { registerId: number }
>(
  'register_unread_money',
  `WITH unread AS (
     SELECT r.line, r.amount_tenge::text AS tenge, coalesce(p.found, '') AS found
       FROM partner_register_rows r
       LEFT JOIN LATERAL (
            SELECT problem ->> 'found' AS found, NOT problem ->> 'code' LIKE 'MOMENT%' AS is_of_money
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

const selectForeign = statement<NonNullable<ConfirmationProblems['foreignOrders']>, NamedForeign>(
  'register_foreign_orders',
  `WITH ${FOREIGN_ROWS},
   found AS (SELECT DISTINCT ON (line) * FROM named ORDER BY line, "order")
   SELECT count(*)::integer AS count, coalesce(sum(tenge), 0)::text AS tenge,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('line', f.line, 'order', f."order") ORDER BY f.line), '[]')
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
}

/** Reads what is wrong with a register that has been read. */
export async function readProblems(
  { id, partnerId, sourceId, control }: ReadRegister,
  client?: QueryClientContract
): Promise<ConfirmationProblems> {
  const unread = await selectUnread.one({ registerId: id }, client)
  const words = await selectUnknownWords({ registerId: id }, client)
  const foreign = await selectForeign.one(foreignTo({ id, partnerId }), client)
  const { isSetUp } = await selectIsSetUp.one({ sourceId }, client)
  const proposals = control?.proposals ?? []
  return {
    noRows: control?.rowsIn === 0 ? true : null,
    control: controlProblem(control),
    unreadMoney: unread.count > 0 ? unread : null,
    unknownWords: words.length > 0 ? sumOfWords(words.map(inSmallLetters)) : null,
    foreignOrders: foreign.count > 0 ? foreign : null,
    setupUnanswered: isSetUp ? null : someOf(proposals),
    setupContradicted: isSetUp ? someOf(proposals.filter(({ isProven }) => isProven)) : null,
  }
}

export const hasProblems = (problems: ConfirmationProblems) =>
  Object.values(problems).some((problem) => problem !== null)

const someOf = <One>(all: One[]) => (all.length > 0 ? all : null)

/** Refuses NO_ROWS, CONTROL_DIFFERS, UNREAD_MONEY, UNKNOWN_WORDS, FOREIGN_ORDERS or SETUP_CONTRADICTED, with rows and sums. */
export function refuseProblems({
  noRows,
  control,
  unreadMoney,
  unknownWords,
  foreignOrders,
  setupContradicted,
}: ConfirmationProblems): never {
  if (noRows) refuse('NO_ROWS')
  if (control) refuse('CONTROL_DIFFERS', control)
  if (unreadMoney) refuse('UNREAD_MONEY', unreadMoney)
  if (unknownWords) refuse('UNKNOWN_WORDS', unknownWords)
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
