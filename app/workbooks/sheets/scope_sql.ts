import { ROUNDING_KINDS, VOID_KINDS, type MovementKind } from '#ledger/movements'
import { MEMO_KINDS } from '#ledger/actions/memos'

/**
 * Which movements a workbook contains.
 *
 * Example, movements of a partner whose September statement is issued and whose October is open:
 *   A  20 Sep, in the September statement      B  20 Sep, committed late, in no statement
 *   C   5 Oct, in no statement
 * September's statement: A. Draft of September: A and B.
 * Draft of October, the next period to close: B (late) and C. Draft of 1 to 10 October: C.
 */

/** The parameters of every query of a workbook, as a CTE. */
const SCOPE = `scope AS (SELECT :partnerId::integer AS partner_id, :from::timestamptz AS period_from, :to::timestamptz AS period_to,
    :statementId::integer AS statement_id, :language::text AS lang, :takesLate::boolean AS takes_late, least(:to::timestamptz, now()) AS cut_off,
    (SELECT number FROM settlement_statements WHERE id = :statementId) AS number)`

// A superseded statement keeps its lines; those of rounding are still its own.
const MOVEMENTS_OF_STATEMENT = `scope_movements AS (
    SELECT m.*, m.line AS no FROM ledger_movements m WHERE m.statement_id = :statementId
     UNION ALL
    SELECT m.*, l.line FROM settlement_superseded_lines l JOIN ledger_movements m ON m.id = l.movement_id
      WHERE l.statement_id = :statementId AND m.statement_id IS DISTINCT FROM :statementId)`

/**
 * A movement of the range may be settled late, in any statement that ends after the beginning of the range. The next period
 * to close also has every earlier movement that is in no statement, the memos of a superseded statement of its days, and the
 * lines of rounding, as its statement will.
 */
const MOVEMENTS_OF_RANGE = `scope_movements AS (
    SELECT m.*, row_number() OVER (ORDER BY m.effective_at, m.id)::integer AS no FROM (
      SELECT * FROM ledger_movements
       WHERE partner_id = :partnerId AND statement_id IS NULL AND effective_at >= :from AND effective_at < :to
       UNION ALL
      SELECT * FROM ledger_movements
       WHERE :takesLate AND partner_id = :partnerId AND statement_id IS NULL AND effective_at < :from
       UNION ALL
      SELECT m.* FROM settlement_statements s JOIN settlement_memos memo ON memo.origin_statement_id = s.id
        JOIN ledger_movements m ON m.source = 'memo:' || memo.id AND m.kind = memo.kind
       WHERE :takesLate AND s.partner_id = :partnerId AND s.status = 'superseded' AND s.period_from = :from AND s.period_to = :to
         AND m.statement_id IS NULL AND m.effective_at >= :to
      UNION ALL
      SELECT * FROM draft_roundings(:partnerId, :to) WHERE :takesLate
       UNION ALL
      SELECT m.* FROM settlement_statements s JOIN ledger_movements m ON m.statement_id = s.id
       WHERE s.partner_id = :partnerId AND s.status <> 'superseded' AND s.period_to > :from AND m.effective_at >= :from AND m.effective_at < :to) m)`

/** Kinds of movements that belong to no order. */
export const KINDS_WITHOUT_ORDER = [
  ...MEMO_KINDS,
  'payment',
  ...ROUNDING_KINDS,
] as const satisfies readonly MovementKind[]

/** `'adj_debit', 'adj_credit'`, for IN. */
export const kindList = (kinds: readonly MovementKind[]) =>
  kinds.map((kind) => `'${kind}'`).join(', ')

/** Whether a movement of this kind gives back the price of a voided ticket. */
export const isVoid = (kind: string) => `${kind} IN (${kindList(VOID_KINDS)})`

const CASES_AND_ORDERS = `
  scope_cases AS MATERIALIZED (
    SELECT c.* FROM settlement_cases c, scope
     WHERE c.partner_id = scope.partner_id AND c.gone_at IS NULL
       AND c.occurred_at >= scope.period_from AND c.occurred_at < scope.period_to),
  scope_defects AS (
    SELECT d.*,
           row_number() OVER (PARTITION BY c.id ORDER BY
             array_position(ARRAY['BLOCKER', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], d.severity::text), d.id) AS severity_rank
      FROM scope_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.gone_at IS NULL),
  per_order AS (
    SELECT order_id,
           coalesce(sum(amount_tenge) FILTER (WHERE kind = 'sale'), 0)::bigint AS sold,
           coalesce(sum(amount_tenge) FILTER (WHERE ${isVoid('kind')}), 0)::bigint AS returned,
           coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('commission', 'commission_reversal')), 0)::bigint AS commission,
           coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('vat', 'vat_reversal')), 0)::bigint AS vat,
           sum(amount_tenge)::bigint AS payable
      FROM scope_movements WHERE order_id IS NOT NULL GROUP BY order_id)`

/**
 * The CTEs that all sheets read: `scope`, `scope_movements`, `scope_cases`, `scope_defects` (severity_rank 1 is the gravest of
 * its case) and `per_order`.
 */
export const scopeSql = (isStatement: boolean) =>
  `WITH ${SCOPE}, ${isStatement ? MOVEMENTS_OF_STATEMENT : MOVEMENTS_OF_RANGE}, ${CASES_AND_ORDERS}`

/**
 * The defects of an order, in any period, read by index for each order. Without `OFFSET 0` PostgreSQL underestimates a
 * partner's cases and scans all of them for every row.
 */
export const defectCodesOf = (orderId: string) => `LATERAL (
    SELECT array_agg(DISTINCT d.code ORDER BY d.code) AS codes, string_agg(DISTINCT c.id::text, ' ') AS case_ids,
           max(d.subclass) FILTER (WHERE d.code = 'PAID_BEFORE_CREATED') AS early_class,
           min(c.id) FILTER (WHERE c.occurred_at >= scope.period_from AND c.occurred_at < scope.period_to)::text AS case_here
      FROM (SELECT * FROM settlement_defects WHERE order_id = ${orderId} OFFSET 0) d,
           LATERAL (SELECT * FROM settlement_cases WHERE id = d.case_id OFFSET 0) c
     WHERE d.gone_at IS NULL AND c.partner_id = scope.partner_id AND c.gone_at IS NULL) codes`

/** The confirm attempts of an order, read by index in the same way. */
export const attemptsOn = (orderId: string) =>
  `LATERAL (SELECT * FROM confirm_attempts WHERE order_id_sent = ${orderId}
    AND (signature_valid OR http_status = 401) OFFSET 0) a`

/** Whether a movement that was found by index belongs to `scope_movements`. */
export const isInScope = (m: string) => `CASE WHEN :statementId::integer IS NULL
    THEN ${m}.effective_at < scope.period_to
     AND (${m}.effective_at >= scope.period_from OR scope.takes_late AND ${m}.statement_id IS NULL)
    ELSE ${m}.statement_id = :statementId
      OR ${m}.id IN (SELECT movement_id FROM settlement_superseded_lines WHERE statement_id = :statementId) END`

/**
 * The statement and line of an order's sale at the time when the workbook's statement was issued; in a draft, the present
 * one. Statements are superseded from the last one back, so the newest one up to that number is the right one.
 */
export const statementOfSale = (orderId: string) => `LATERAL (
    SELECT max(s.number) AS number, (array_agg(held.line ORDER BY s.number DESC))[1] AS line
      FROM (SELECT * FROM ledger_movements WHERE source = ${orderId} AND kind = 'sale' OFFSET 0) m,
           LATERAL (SELECT m.statement_id, m.line
                     UNION ALL SELECT statement_id, line FROM settlement_superseded_lines WHERE movement_id = m.id) held
      JOIN settlement_statements s ON s.id = held.statement_id
     WHERE CASE WHEN :statementId::integer IS NULL THEN s.id = m.statement_id ELSE s.number <= scope.number END) settled`

/** A moment within Excel's calendar, else NULL; another column shows the partner's own text. */
export const displayable = (moment: string) =>
  `CASE WHEN ${moment} BETWEEN '1900-03-02' AND '9999-12-30' THEN ${moment} END`

/** An amount within Excel's 15 digits, else NULL: a partner may claim more. */
export const within15Digits = (tenge: string) =>
  `CASE WHEN abs(${tenge}::numeric) < 1000000000000000 THEN ${tenge} END`

/** An interval in seconds, rounded down. */
export const wholeSeconds = (interval: string) => `floor(extract(epoch FROM ${interval}))::bigint`

/** The event's title in the workbook's language, else in Russian. */
export const TITLE = `coalesce(e.title ->> scope.lang, e.title ->> 'ru')`
/** The role of a staff member instead of the name, because the partner gets the workbook. */
export const roleOf = (name: string) =>
  `CASE WHEN ${name} IS NOT NULL THEN coalesce((SELECT upper(role) FROM staff WHERE lower(email) = lower(${name})), 'PLATFORM') END`

/** `SET-000001` or `MEM-000001`, as `statementNumber` and `memoNumber` format it. */
export const paddedNumber = (prefix: 'SET' | 'MEM', number: string) =>
  `'${prefix}-' || lpad(${number}::text, greatest(6, length(${number}::text)), '0')`

/** The memo of a movement. Example: a penalty with the source `memo:17` joins memo 17; a sale joins none. */
export const memoOf = (m: string) =>
  `settlement_memos memo ON memo.id = CASE WHEN ${m}.kind IN (${kindList(MEMO_KINDS)}) THEN ${idInSource(m)} END`

/** The bank payment of a movement. Example: a payment with the source `payment:4` joins payment 4; a sale joins none. */
export const paymentOf = (m: string) =>
  `settlement_payments payment ON payment.id = CASE WHEN ${m}.kind = 'payment' THEN ${idInSource(m)} END`

const idInSource = (m: string) => `split_part(${m}.source, ':', 2)::integer`

/** A kind's tenge in stored totals. Example: -20000 for `payment` of {"payment": [1, 0, "-20000"]}, 0 without it. */
export const storedTenge = (totals: string, kind: MovementKind) =>
  `coalesce((${totals} -> '${kind}' ->> 2)::bigint, 0)`
