/**
 * What the hash of a statement covers, and its canonical form: the fourth form (`hash_version` 4), and the second and third
 * one, which statements of that time keep; `statement_digest.ts` has the first. Everything that we could have to prove: lines, the memos
 * and payments that they come from, what was put against what since the statement before, the terms of every line, and the
 * statement itself.
 *
 * Each row is a JSON array of texts, as PostgreSQL writes it: a word and the row's columns in the order of `SEALED_COLUMNS`.
 * A form leaves out what `ADDED` names for later ones. The second has the parts of payments instead of allocations.
 * Moments are in UTC with microseconds. The rows are joined by line feeds; the statement comes last, because its totals are
 * the lines' sums. The hash is the SHA-256 of that in UTF-8.
 *
 * Example, shortened; `tests/functional/ledger/seal_vector.spec.ts` has a whole one.
 *   ["line", "1", "7", "sale", "12000", "1", "ord_1", …]
 *   ["memo", "4", "9", "7", "adj_credit", "500", "Возврат мимо системы", …]
 *   ["terms", "3", "7", "1999-12-31T19:00:00.000000Z", "month", "750", …]
 *   ["statement", "17", "7", "2026-08-31T19:00:00.000000Z", …]
 */
import type { StatementLine } from '#ledger/movements'
import { statement } from '#shared/statement'
import { streamRows } from '#shared/stream_rows'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/** `plain`: as PostgreSQL writes it as text. */
type Form = 'plain' | 'moment' | 'day'
type Columns = Readonly<Record<string, Form>>

/** table → covered columns in the order of the canonical form, which never changes: a column more is a new version. */
export const SEALED_COLUMNS = {
  ledger_movements: {
    line: 'plain',
    partner_id: 'plain',
    kind: 'plain',
    amount_tenge: 'plain',
    tickets: 'plain',
    source: 'plain',
    event_id: 'plain',
    order_id: 'plain',
    terms_id: 'plain',
    rate_bp: 'plain',
    effective_at: 'moment',
    recorded_at: 'moment',
  },
  settlement_memos: {
    id: 'plain',
    number: 'plain',
    partner_id: 'plain',
    kind: 'plain',
    amount_tenge: 'plain',
    reason: 'plain',
    origin_statement_id: 'plain',
    origin_line: 'plain',
    origin_case_id: 'plain',
    asked_by: 'plain',
    asked_at: 'moment',
    needs_second: 'plain',
    outcome: 'plain',
    decided_by: 'plain',
    decided_at: 'moment',
    reverses_id: 'plain',
  },
  settlement_payments: {
    id: 'plain',
    partner_id: 'plain',
    bank_reference: 'plain',
    paid_on: 'day',
    direction: 'plain',
    amount_tenge: 'plain',
    recorded_by: 'plain',
    recorded_at: 'moment',
    approved_by: 'plain',
    reverses_id: 'plain',
    reason: 'plain',
  },
  settlement_allocations: {
    id: 'plain',
    partner_id: 'plain',
    credit: 'plain',
    debit: 'plain',
    amount_tenge: 'plain',
    reverses_id: 'plain',
    reason: 'plain',
    allocated_by: 'plain',
    allocated_at: 'moment',
  },
  settlement_terms: {
    id: 'plain',
    partner_id: 'plain',
    valid_from: 'moment',
    period: 'plain',
    commission_bp: 'plain',
    vat_bp: 'plain',
    rounding: 'plain',
    grace_minutes: 'plain',
    dispute_days: 'plain',
    silence_agrees: 'plain',
    min_payment_tenge: 'plain',
    refund_evidence_days: 'plain',
    allows_combined_payments: 'plain',
    penalty_tenge: 'plain',
    legal_name: 'plain',
    bin: 'plain',
    contract_number: 'plain',
    contract_date: 'day',
    set_by: 'plain',
    created_at: 'moment',
    approved_by: 'plain',
    used_tickets_of_cancelled_events: 'plain',
    payment_days: 'plain',
  },
  settlement_statements: {
    number: 'plain',
    partner_id: 'plain',
    period_from: 'moment',
    period_to: 'moment',
    zone: 'plain',
    utc_offset_minutes: 'plain',
    terms_id: 'plain',
    opening_tenge: 'plain',
    closing_tenge: 'plain',
    totals: 'plain',
    lines: 'plain',
    late_lines: 'plain',
    prev_id: 'plain',
    prev_sha256: 'plain',
    data_as_of: 'moment',
    issued_at: 'moment',
    issued_by: 'plain',
    dispute_until: 'moment',
    supersedes_id: 'plain',
    hash_version: 'plain',
  },
} as const satisfies Record<string, Columns>
export type SealedTable = keyof typeof SEALED_COLUMNS

export type SealForm = 2 | 3 | 4

/** form → columns that it was the first to have. In rows that earlier forms cover they are empty or have their default. */
const ADDED: Record<SealForm, Partial<Record<SealedTable, readonly string[]>>> = {
  2: {},
  3: { settlement_memos: ['reverses_id'], settlement_payments: ['reverses_id', 'reason'] },
  4: { settlement_terms: ['used_tickets_of_cancelled_events', 'payment_days'] },
}
/** What the second form covers of payments' allocations; nothing writes it any more. */
const SECOND_FORM_PARTS: Columns = {
  payment_id: 'plain',
  statement_id: 'plain',
  amount_tenge: 'plain',
  allocated_at: 'moment',
}

/**
 * Columns that the hash leaves out: the state of a statement, which may change, its hash, keys that say nothing by themselves, and
 * who is to sign for the partner, which the signed act proves.
 */
export const UNSEALED_COLUMNS: Record<SealedTable, readonly string[]> = {
  ledger_movements: ['id', 'statement_id'],
  settlement_memos: ['penalty_round'],
  settlement_payments: ['reference_key', 'duplicate_of_id', 'booking_round'],
  settlement_allocations: [],
  settlement_terms: ['signatory'],
  settlement_statements: ['id', 'data_sha256', 'status', 'status_at', 'status_by', 'status_note'],
}

const FORMS: Record<Form, (column: string) => string> = {
  plain: (column) => `${column}::text`,
  moment: (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  day: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
}

/** The columns of a table that a form covers, in its order. */
export function columnsOfForm(table: SealedTable, form: SealForm): Columns {
  const later = ([2, 3, 4] as const).filter((other) => other > form)
  const left = later.flatMap((other) => ADDED[other][table] ?? [])
  const columns = Object.entries(SEALED_COLUMNS[table] as Columns)
  return Object.fromEntries(columns.filter(([name]) => !left.includes(name)))
}

/** The SQL of a row's canonical form. `places` names columns that are read from another row. */
function canonicalSql(
  word: string,
  columns: Columns,
  row: string,
  places: Record<string, string> = {}
) {
  const values = Object.entries(columns).map(([name, form]) =>
    FORMS[form](places[name] ?? `${row}.${name}`)
  )
  return `json_build_array('${word}', ${values.join(', ')})::text`
}

const linesSql = (from: string, line: string) =>
  `SELECT m.kind, m.amount_tenge::text AS amount, m.tickets, m.source, m.terms_id AS "termsId", m.effective_at < :from AS "isLate",
          ${canonicalSql('line', SEALED_COLUMNS.ledger_movements, 'm', { line })} AS canonical
     FROM ${from} ORDER BY ${line}`

const LINES = linesSql(
  'ledger_movements m WHERE m.statement_id = :statementId AND m.statement_id IS NOT NULL',
  'm.line'
)
/** The lines of a superseded statement, whose movements may be in another statement by now. */
const SUPERSEDED_LINES = linesSql(
  'settlement_superseded_lines l JOIN ledger_movements m ON m.id = l.movement_id WHERE l.statement_id = :statementId',
  'l.line'
)

type Canonical = { canonical: string }

type Ids = { ids: number[] }
type Allocated = { partnerId: number; prevId: number | null; asOf: string }

const selectMemos = (form: SealForm) =>
  statement<Canonical, Ids>(
    `settlement_sealed_memos_${form}`,
    `SELECT ${canonicalSql('memo', columnsOfForm('settlement_memos', form), 'memo')} AS canonical
       FROM settlement_memos memo WHERE id = ANY(:ids::integer[]) ORDER BY id`
  )
const selectPayments = (form: SealForm) =>
  statement<Canonical, Ids>(
    `settlement_sealed_payments_${form}`,
    `SELECT ${canonicalSql('payment', columnsOfForm('settlement_payments', form), 'paid')} AS canonical
       FROM settlement_payments paid WHERE id = ANY(:ids::integer[]) ORDER BY id`
  )
// Since the statement before, where it covers the same kind of rows: every row is covered by one statement. The account is
// locked for each allocation and for issuing.
const sinceBefore = (forms: SealForm[]) =>
  `coalesce((SELECT data_as_of FROM settlement_statements WHERE id = :prevId::integer AND hash_version IN (${forms.join(', ')})), '-infinity')`
const selectParts = statement<Canonical, Allocated>(
  'settlement_sealed_payment_parts',
  `SELECT ${canonicalSql('allocated', SECOND_FORM_PARTS, 'part')} AS canonical
     FROM settlement_payments paid JOIN settlement_payment_parts part ON part.payment_id = paid.id
    WHERE paid.partner_id = :partnerId AND part.allocated_at <= :asOf::timestamptz
      AND part.allocated_at > ${sinceBefore([2])}
    ORDER BY part.payment_id, part.statement_id`
)
const selectAllocations = (form: SealForm, before: SealForm[]) =>
  statement<Canonical, Allocated>(
    `settlement_sealed_allocations_${form}`,
    `SELECT ${canonicalSql('allocated', SEALED_COLUMNS.settlement_allocations, 'a')} AS canonical
       FROM settlement_allocations a
      WHERE a.partner_id = :partnerId AND a.allocated_at <= :asOf::timestamptz AND a.allocated_at > ${sinceBefore(before)}
      ORDER BY a.id`
  )
const selectTerms = (form: SealForm) =>
  statement<Canonical, Ids>(
    `settlement_sealed_terms_${form}`,
    `SELECT ${canonicalSql('terms', columnsOfForm('settlement_terms', form), 't')} AS canonical
       FROM settlement_terms t WHERE id = ANY(:ids::integer[]) ORDER BY id`
  )

const readsOf = (form: SealForm, allocated: typeof selectParts) => ({
  memos: selectMemos(form),
  payments: selectPayments(form),
  allocated,
  terms: selectTerms(form),
})
const READS: Record<SealForm, ReturnType<typeof readsOf>> = {
  2: readsOf(2, selectParts),
  3: readsOf(3, selectAllocations(3, [3])),
  4: readsOf(4, selectAllocations(4, [3, 4])),
}
/** Whether a stored `hash_version` is a form that is read here. */
export const isSealForm = (version: number): version is SealForm => version in READS

const selectStatement = statement<Canonical, { statementId: number }>(
  'settlement_sealed_statement',
  `SELECT ${canonicalSql('statement', SEALED_COLUMNS.settlement_statements, 's')} AS canonical
     FROM settlement_statements s WHERE id = :statementId`
)
// Of a row that is not written yet, because it contains the hash.
const renderStatement = statement<Canonical, { row: string }>(
  'settlement_render_sealed_statement',
  `SELECT ${canonicalSql('statement', SEALED_COLUMNS.settlement_statements, 's')} AS canonical
     FROM jsonb_populate_record(NULL::settlement_statements, :row::jsonb) s`
)

/** The canonical form of an issued statement's own row. */
export const sealedStatement = (statementId: number, client?: QueryClientContract) =>
  selectStatement.one({ statementId }, client).then(({ canonical }) => canonical)

/** The same of a row that is about to be inserted, by its columns. */
export const sealedStatementToBe = (row: object, client: QueryClientContract) =>
  renderStatement.one({ row: JSON.stringify(row) }, client).then(({ canonical }) => canonical)

export interface SealedScope {
  form: SealForm
  statementId: number
  partnerId: number
  from: Date
  termsId: number
  prevId: number | null
  /** The moment of its data, as PostgreSQL writes it. */
  asOf: string
  isSuperseded: boolean
}

export type SealedLine = StatementLine & { source: string; termsId: number | null }

/** Reads the rows that a statement's hash covers, its own row excepted. `onLine` is called for each of its lines. */
export async function* sealedRows(
  scope: SealedScope,
  onLine: (line: SealedLine) => void,
  trx: TransactionClientContract
): AsyncGenerator<string> {
  const { form, statementId, partnerId, from, prevId, asOf } = scope
  const read = READS[form]
  const terms = new Set([scope.termsId])
  const documents: Record<string, number[]> = { memo: [], payment: [] }
  const sql = scope.isSuperseded ? SUPERSEDED_LINES : LINES
  for await (const line of streamRows<SealedLine>(sql, { statementId, from }, trx)) {
    if (line.termsId !== null) terms.add(line.termsId)
    const [, word, id] = /^(memo|payment):(\d{1,9})$/.exec(line.source) ?? []
    if (word) documents[word].push(Number(id))
    onLine(line)
    yield line.canonical
  }
  for (const rows of [
    await read.memos({ ids: documents.memo }, trx),
    await read.payments({ ids: documents.payment }, trx),
    await read.allocated({ partnerId, prevId, asOf }, trx),
    await read.terms({ ids: [...terms] }, trx),
  ])
    for (const { canonical } of rows) yield canonical
}
