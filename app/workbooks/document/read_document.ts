import { zeroTotals, type MovementKind } from '#ledger/movements'
import { isOpenCase, openExposure } from '#defects/cases/open_exposure'
import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { findNextPeriod } from '#ledger/queries/find_next_period'
import { findIssuerAt } from '#ledger/issuer'
import { findStatement } from '#ledger/queries/find_statement'
import { findTermsById, findTermsAt, type TermsRow } from '#ledger/terms'
import type {
  CaseSums,
  CountAndSum,
  DefectsOfCode,
  Document,
  OpenCases,
  SheetTotals,
} from '#workbooks/document/document'
import type { WorkbookScope } from '#workbooks/document/find_scope'
import { scopeSql, storedTenge } from '#workbooks/sheets/scope_sql'
import { MAX_PARTS, totalsSql, type DataSheet } from '#workbooks/sheets/sheet'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { balances } from '#workbooks/sheets/balances'
import { defects } from '#workbooks/sheets/defects'
import type { DataSheetKey } from '#workbooks/words/words'
import { register, REGISTERS_OF_SCOPE } from '#workbooks/sheets/register'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const BY_KIND = `SELECT kind, count(*)::integer AS movements, coalesce(sum(tickets), 0)::integer AS tickets,
  sum(amount_tenge)::bigint AS tenge FROM scope_movements GROUP BY kind`

const DEFECTS_BY_CODE = `SELECT code, count(DISTINCT "caseId")::integer AS cases, count(*)::integer AS defects,
  coalesce(sum(attempts), 0)::integer AS attempts,
  sum("buyerExposure")::bigint AS buyer, sum("platformExposure")::bigint AS platform, sum("partnerExposure")::bigint AS partner,
  count(*) FILTER (WHERE state NOT IN ('resolved', 'dismissed'))::integer AS open,
  count(*) FILTER (WHERE state IN ('resolved', 'dismissed'))::integer AS resolved
  FROM (${defects.sql}) d GROUP BY code ORDER BY code COLLATE "C"`

const OPEN_CASES = `SELECT ${EXPOSED_PARTIES.map(
  (party) => `coalesce(sum(${openExposure('c', party)}), 0)::bigint AS ${party}`
).join(', ')},
  (SELECT count(*)::integer FROM scope_defects d JOIN scope_cases c ON c.id = d.case_id WHERE ${isOpenCase('c')}) AS defects
  FROM scope_cases c`

const CASE_SUMS = `SELECT
  coalesce(sum("countedCharge" - "countedReturn" - coalesce(bought, 0)) FILTER (WHERE kind = 'PURCHASE'), 0)::bigint AS purchases,
  coalesce(sum("openSum") FILTER (WHERE kind = 'CASE'), 0)::bigint AS cases FROM (${balances.sql}) lines`

/** Orders that were pending at the cut-off; a payment window is a day at most. */
const PENDING = `SELECT count(*)::integer AS count, coalesce(sum(o.total_tenge), 0)::bigint AS tenge FROM orders o, scope
  WHERE o.partner_id = scope.partner_id AND o.window_ends_at > scope.cut_off
    AND o.created_at < scope.cut_off AND o.created_at >= scope.cut_off - interval '1 day'
    AND coalesce(o.confirmed_at, o.cancelled_at, scope.cut_off) >= scope.cut_off`
/** The amounts due of disputed statements: their movements without payments. */
const DISPUTED = `SELECT count(*)::integer AS count,
    coalesce(sum(s.closing_tenge - s.opening_tenge - ${storedTenge('s.totals', 'payment')}), 0)::bigint AS tenge
  FROM settlement_statements s, scope WHERE s.partner_id = scope.partner_id AND s.status = 'disputed'`
const LATE = `SELECT count(*)::integer AS count, coalesce(sum(m.amount_tenge), 0)::bigint AS tenge
  FROM scope_movements m, scope WHERE m.effective_at < scope.period_from`

/**
 * The opening balance of a draft: the closing balance of the last statement before it, and later movements until it begins.
 *
 * Example: September's statement closed at 62,400; the draft begins on 10 October; 5 October has a sale of 12,000.
 * Opening balance 74,400; previous closing balance 62,400.
 */
const BALANCE = `SELECT (coalesce(s.closing_tenge, 0) + coalesce((
    SELECT sum(amount_tenge) FROM ledger_movements
     WHERE partner_id = scope.partner_id AND statement_id IS NULL AND effective_at < scope.period_from
       AND NOT scope.takes_late), 0)
  + coalesce((
    SELECT sum(m.amount_tenge) FROM settlement_statements later JOIN ledger_movements m ON m.statement_id = later.id
     WHERE later.partner_id = scope.partner_id AND later.status <> 'superseded' AND later.period_to > scope.period_from
       AND m.effective_at < scope.period_from), 0))::bigint AS opening, s.closing_tenge AS previous
  FROM scope LEFT JOIN LATERAL (
    SELECT closing_tenge FROM settlement_statements
     WHERE CASE WHEN scope.statement_id IS NULL
             THEN partner_id = scope.partner_id AND period_to <= scope.period_from AND status <> 'superseded'
             ELSE id = (SELECT prev_id FROM settlement_statements WHERE id = scope.statement_id) END
     ORDER BY period_to DESC LIMIT 1) s ON true`

type RunQuery = <Row>(sql: string) => Promise<Row[]>

/** Reads a document's head, totals and counts; rows are streamed later in the same snapshot. */
export async function readDocument(
  scope: WorkbookScope,
  trx: TransactionClientContract,
  { rowsPerSheet }: { rowsPerSheet: number }
): Promise<Document> {
  const ask: RunQuery = async (sql) => {
    return Array.fromAsync(
      streamRows(`${scopeSql(scope.statementId !== null)} ${sql}`, scope.params, trx)
    )
  }
  const { partner, from, to, statementId } = scope
  const statement = statementId === null ? null : await findStatement(statementId, trx)
  const [{ opening, previous }] = await ask<{ opening: bigint; previous: bigint | null }>(BALANCE)
  const ruleSet = await activeRuleSet(trx)
  const sheets = await readSheetTotals(ask)
  const longest = Math.max(...Object.values(sheets).map(({ rows }) => rows))
  const [openCases] = await ask<OpenCases>(OPEN_CASES)
  const [caseSums] = await ask<CaseSums>(CASE_SUMS)
  const [{ now }] = await ask<{ now: Date }>('SELECT now() AS now')
  return {
    partner,
    statement,
    from,
    to,
    previousClosing: previous,
    terms: await termsOf(partner.id, from, statement?.termsId ?? null, trx),
    ruleSetVersion: ruleSet.version,
    issuer: (await findIssuerAt.first({ at: statement?.asOf ?? now }, trx)) ?? null,
    asOf: statement?.asOf ?? now,
    readAt: now,
    openingTenge: statement?.openingTenge ?? opening,
    totals: await readTotals(ask),
    sheets,
    rowsPerSheet: Math.max(rowsPerSheet, Math.ceil(longest / MAX_PARTS)),
    defectsByCode: await ask<DefectsOfCode>(DEFECTS_BY_CODE),
    openCases,
    caseSums,
    pending: await readOne(ask, PENDING),
    disputed: await readOne(ask, DISPUTED),
    late: await readOne(ask, LATE),
  }
}

/** The statement's terms; for a draft, the terms that its statement would have. */
async function termsOf(
  partnerId: number,
  from: Date,
  termsId: number | null,
  trx: TransactionClientContract
): Promise<TermsRow> {
  if (termsId !== null) return findTermsById.one({ termsId }, trx)
  const next = await findNextPeriod(partnerId, trx)
  const isNext = next?.from.getTime() === from.getTime()
  return isNext ? next!.terms : findTermsAt.one({ partnerId, at: from }, trx)
}

async function readTotals(ask: RunQuery) {
  const totals = zeroTotals()
  type Row = { kind: MovementKind; movements: number; tickets: number; tenge: bigint }
  for (const { kind, ...total } of await ask<Row>(BY_KIND)) totals[kind] = total
  return totals
}

async function readOne(ask: RunQuery, sql: string) {
  const [found] = await ask<CountAndSum>(sql)
  return found
}

async function readSheetTotals(ask: RunQuery): Promise<Document['sheets']> {
  const totals: Partial<Record<DataSheetKey, SheetTotals>> = {}
  for (const sheet of DATA_SHEETS) totals[sheet.key] = await readSheetTotal(ask, sheet)
  const [isThere] = await ask(`${REGISTERS_OF_SCOPE} LIMIT 1`)
  if (isThere) totals[register.key] = await readSheetTotal(ask, register)
  return totals as Document['sheets']
}

async function readSheetTotal(ask: RunQuery, sheet: DataSheet): Promise<SheetTotals> {
  const [{ rows, ...sums }] = await ask<Record<string, bigint>>(totalsSql(sheet))
  return { rows: Number(rows), sums }
}
