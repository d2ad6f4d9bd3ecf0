import { allCreditedAttempts } from '#defects/facts/credited_attempts'
import { beganAt } from '#defects/facts/facts'
import { isNamedByPayment, printedId } from '#defects/facts/own_payment_ids'
import type { JudgedCase } from '#defects/rule_sets/judge_case'
import type { Story } from '#defects/facts/read_stories'
import { statement } from '#shared/statement'
import { toJson } from '#shared/to_json'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export type FoundCase = Story & { judged: JudgedCase }

const upsertCases = statement<
  { id: number; key: string },
  { partnerId: number; ruleSetVersion: number; asOf: Date; cases: string }
>(
  'settlement_cases_upsert',
  `INSERT INTO settlement_cases
     (partner_id, key, order_ids, payment_ids, severity, buyer_tenge, platform_tenge, partner_tenge, fault, chain, balance,
      rule_set_version, occurred_at, checked_at)
   SELECT :partnerId, key, order_ids, payment_ids, severity, buyer_tenge, platform_tenge, partner_tenge, fault, chain, balance,
          :ruleSetVersion, occurred_at, :asOf
     FROM jsonb_to_recordset(:cases::jsonb) AS found (key text, order_ids text[], payment_ids text[], severity text,
            buyer_tenge bigint, platform_tenge bigint, partner_tenge bigint, fault text, chain text[], balance jsonb,
            occurred_at timestamptz)
   ON CONFLICT (partner_id, key) DO UPDATE SET
     order_ids = EXCLUDED.order_ids, payment_ids = EXCLUDED.payment_ids, severity = EXCLUDED.severity,
     buyer_tenge = EXCLUDED.buyer_tenge, platform_tenge = EXCLUDED.platform_tenge, partner_tenge = EXCLUDED.partner_tenge,
     fault = EXCLUDED.fault, chain = EXCLUDED.chain, balance = EXCLUDED.balance, rule_set_version = EXCLUDED.rule_set_version, checked_at = EXCLUDED.checked_at, gone_at = NULL,
     merged_into = NULL
   RETURNING id, key`
)
const upsertDefects = statement<object, { defects: string }>(
  'settlement_defects_upsert',
  `INSERT INTO settlement_defects
     (case_id, code, subclass, is_recovered, severity, order_id, payment_id, is_strict_breach, exposure_tenge, exposure_party, fault,
      deviation_ms, hint, probable_tenge, evidence)
   SELECT case_id, code, subclass, is_recovered, severity, order_id, payment_id, is_strict_breach, exposure_tenge, exposure_party, fault,
          deviation_ms, hint, probable_tenge, evidence
     FROM jsonb_to_recordset(:defects::jsonb) AS found (case_id integer, code text, subclass text,
            is_recovered boolean, severity text, order_id text,
            payment_id text, is_strict_breach boolean, exposure_tenge bigint, exposure_party text, fault text,
            deviation_ms bigint, hint text, probable_tenge bigint, evidence text[])
   ON CONFLICT (case_id, code, order_id) DO UPDATE SET
     subclass = EXCLUDED.subclass, is_recovered = EXCLUDED.is_recovered, severity = EXCLUDED.severity, payment_id = EXCLUDED.payment_id,
     is_strict_breach = EXCLUDED.is_strict_breach, exposure_tenge = EXCLUDED.exposure_tenge,
     exposure_party = EXCLUDED.exposure_party, fault = EXCLUDED.fault, deviation_ms = EXCLUDED.deviation_ms,
     hint = EXCLUDED.hint, probable_tenge = EXCLUDED.probable_tenge, evidence = EXCLUDED.evidence,
     found_at = CASE WHEN settlement_defects.gone_at IS NULL THEN settlement_defects.found_at ELSE clock_timestamp() END,
     gone_at = NULL`
)
const markGoneDefects = statement<object, { defects: string }>(
  'settlement_defects_gone',
  `UPDATE settlement_defects d SET gone_at = clock_timestamp()
     FROM (SELECT DISTINCT case_id FROM jsonb_to_recordset(:defects::jsonb) AS found (case_id integer)) c
    WHERE d.case_id = c.case_id AND d.gone_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM jsonb_to_recordset(:defects::jsonb) AS f (case_id integer, code text, order_id text)
                       WHERE f.case_id = d.case_id AND f.code = d.code AND f.order_id = d.order_id)`
)
export interface SaveCasesInput {
  partnerId: number
  ruleSetVersion: number
  asOf: Date
}

/** Stores the found cases by their keys; defects that are no longer found are marked as gone. */
export async function saveCases(
  { partnerId, ruleSetVersion, asOf }: SaveCasesInput,
  found: FoundCase[],
  trx: TransactionClientContract
) {
  const cases = toJson(found.map((one) => ({ ...caseRow(one), balance: one.judged.explained })))
  const saved = await upsertCases({ partnerId, ruleSetVersion, asOf, cases }, trx)
  const ids = new Map(saved.map(({ id, key }) => [key, id]))
  const defects = JSON.stringify(found.flatMap((one) => defectRows(ids.get(one.key)!, one)))
  await upsertDefects({ defects }, trx)
  await markGoneDefects({ defects }, trx)
}

export function caseRow({ key, facts, judged }: FoundCase) {
  const paymentIds = allCreditedAttempts(facts).flatMap(({ paymentId }) => paymentId ?? [])
  const charges = facts.registerRows.filter(({ kind }) => kind === 'charge')
  const shown = charges.flatMap(({ paymentId }) => paymentId ?? [])
  // By it people search for the order.
  const naming = facts.registerRows.flatMap(({ orderIds }) => orderIds.filter(isNamedByPayment))
  return {
    key,
    order_ids: facts.orders.map(({ id }) => id),
    payment_ids: [...new Set([...paymentIds, ...[...shown, ...naming].map(printedId)])],
    severity: judged.severity,
    fault: judged.fault,
    chain: judged.chain,
    buyer_tenge: String(judged.exposure.buyer),
    platform_tenge: String(judged.exposure.platform),
    partner_tenge: String(judged.exposure.partner),
    occurred_at: new Date(beganAt(facts)).toISOString(),
  }
}

function defectRows(caseId: number, { judged }: FoundCase) {
  return judged.findings.map((found) => ({
    case_id: caseId,
    code: found.code,
    subclass: found.subclass,
    severity: found.severity,
    is_recovered: found.isRecovered,
    order_id: found.orderId,
    payment_id: found.paymentId && printedId(found.paymentId),
    hint: found.hint,
    probable_tenge: found.probableTenge === null ? null : String(found.probableTenge),
    is_strict_breach: found.isStrictBreach,
    exposure_tenge: String(found.exposureTenge),
    exposure_party: found.exposureParty,
    fault: found.fault,
    evidence: found.evidence,
    deviation_ms: found.deviationMs === null ? null : Math.round(found.deviationMs),
  }))
}
