import { printedId } from '#defects/facts/own_payment_ids'
import { readTrail } from '#finance/cases/case_trail'
import type {
  CaseBalance,
  CaseDefect,
  CaseDetails,
  CaseJournalEntry,
  CaseMemo,
  CaseNote,
  CasePerson,
} from '#finance/cases/cases_props'
import { CHAIN } from '#finance/cases/list_cases'
import type { WithDates } from '#staff_area/page_props'
import { rolesThatMay } from '#staff_area/permissions'
import { CONFIRMS } from '#defects/balance/component'
import { fromStored, type ExplainedBalance } from '#defects/balance/explained'
import { CASE_TRANSITIONS } from '#case_work/case_state'
import { exposureOf, isOpenCase } from '#defects/cases/open_exposure'
import { findPenalty } from '#penalties/find_penalty'
import { findNamedRegister } from '#defects/rules/register_evidence'
import { nameRegisters } from '#reconciliation/store/name_registers'
import { memoNumber } from '#ledger/statement_status'
import { someOrders } from '#sales/queries/one_order'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

type CaseRow = WithDates<
  Omit<CaseDetails, 'nextStates' | 'isMine'>,
  'occurredAt' | 'foundAt' | 'checkedAt' | 'goneAt' | 'stateAt'
> & { balance: ExplainedBalance<string> | null }

const selectCase = statement<CaseRow, { id: number }>(
  'back_office_case',
  `SELECT c.id, c.key, c.partner_id AS "partnerId", p.code AS partner, p.name AS "partnerName", c.order_ids AS "orderIds",
          c.payment_ids AS "paymentIds", c.severity, ${exposureOf('c')} AS exposure, (${isOpenCase('c')}) AS "isOpen",
          c.fault, ${CHAIN} AS chain, c.rule_set_version AS "ruleSetVersion",
          c.occurred_at AS "occurredAt", c.found_at AS "foundAt", c.checked_at AS "checkedAt", c.gone_at AS "goneAt", c.merged_into AS "mergedInto",
          c.state, c.owner_id AS "ownerId", s.full_name AS owner, c.due_on::text AS "dueOn", c.resolution,
          c.is_false_positive AS "isFalsePositive", c.state_at AS "stateAt", c.state_by AS "stateBy", c.version, c.balance
     FROM settlement_cases c JOIN partners p ON p.id = c.partner_id LEFT JOIN staff s ON s.id = c.owner_id
    WHERE c.id = :id`
)
const selectDefects = statement<CaseDefect, { id: number }>(
  'back_office_case_defects',
  `SELECT d.id, d.code, d.subclass, d.is_recovered AS "isRecovered", d.severity, d.order_id AS "orderId", d.payment_id AS "paymentId",
          d.is_strict_breach AS "isStrictBreach", d.exposure_tenge::float8 AS "exposureTenge",
          d.exposure_party AS "exposureParty", d.fault, d.deviation_ms::float8 AS "deviationMs", d.hint,
          d.probable_tenge::float8 AS "probableTenge", d.evidence
     FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
    WHERE d.case_id = :id AND d.gone_at IS NULL
    ORDER BY array_position(c.chain, d.code) NULLS LAST, d.id`
)
const selectNotes = statement<WithDates<CaseNote, 'at'>, { ids: number[] }>(
  'back_office_case_notes',
  `SELECT id, at, by, text FROM settlement_case_notes
    WHERE case_id = ANY (:ids::integer[]) ORDER BY id`
)
// Under the order that named the case. `ids`: the case itself, and all that were merged into it.
const selectJournal = statement<
  WithDates<CaseJournalEntry, 'at'>,
  { id: number; orderIds: string[]; ids: number[] }
>(
  'back_office_case_journal',
  `SELECT id::text AS id, at, actor, name, change FROM journal
    WHERE order_id = ANY (:orderIds::text[]) AND name IN ('case_changed', 'case_merged')
      AND (change ->> 'case_id')::integer = ANY (:ids::integer[])
      AND (name = 'case_changed' OR ((change ->> 'into')::integer = ANY (:ids::integer[]) AND (change ->> 'case_id')::integer <> :id))
    ORDER BY id`
)
/** The case itself, and all that were merged into it, at any remove. */
const selectMerged = statement<{ id: number; key: string }, { id: number }>(
  'back_office_case_merged',
  `WITH RECURSIVE merged AS (
     SELECT id, key FROM settlement_cases WHERE id = :id
      UNION SELECT c.id, c.key FROM settlement_cases c JOIN merged ON c.merged_into = merged.id)
   SELECT id, key FROM merged`
)
const selectSources = statement<{ id: string; name: string }, { ids: string[] }>(
  'back_office_case_sources',
  'SELECT id::text AS id, name FROM register_sources WHERE id::text = ANY (:ids::text[])'
)
const selectForeignOrders = statement<{ id: string }, { ids: string[]; partnerId: number }>(
  'back_office_case_foreign_orders',
  `SELECT o.id FROM ${someOrders(':ids')} WHERE o.partner_id <> :partnerId`
)
type MemoRow = WithDates<Omit<CaseMemo, 'number'>, 'askedAt'> & { number: number | null }

const selectMemos = statement<MemoRow, { id: number }>(
  'back_office_case_memos',
  `SELECT id, number, kind, amount_tenge::float8 AS "amountTenge", reason, asked_by AS "askedBy", asked_at AS "askedAt", outcome
     FROM settlement_memos WHERE origin_case_id = :id ORDER BY id`
)
const selectPeople = statement<CasePerson, { role: string[] }>(
  'back_office_case_people',
  `SELECT id, full_name AS name FROM staff WHERE disabled_at IS NULL AND role = ANY(:role::text[]) ORDER BY full_name, id`
)

/** Staff who can own a case. */
export const casePeople = () => selectPeople({ role: rolesThatMay('cases.take') })

/** One case with its evidence; refuses NO_SUCH. */
export async function readCase(id: number) {
  const [found, defects, merged] = await Promise.all([
    selectCase.first({ id }),
    selectDefects({ id }),
    selectMerged({ id }),
  ])
  if (!found) refuse('NO_SUCH', { what: 'case' })
  // An id that we never issued is in no list of orders, but its confirm attempts belong to the case.
  const ids = [...new Set([...found.orderIds, found.key, ...defects.map((one) => one.orderId)])]
  const caseIds = merged.map((one) => one.id)
  const keys = merged.map(({ key }) => key)
  const { balance: stored, ...row } = found
  const { partnerId } = found
  const [trail, foreign, balance, registers, notes, journal, people, money] = await Promise.all([
    readTrail(partnerId, ids),
    selectForeignOrders({ ids: [...ids, ...ordersIn(stored)], partnerId }),
    stored && readBalance(stored),
    nameRegisters(registersOf(stored, defects)),
    selectNotes({ ids: caseIds }),
    selectJournal({ id, orderIds: keys, ids: caseIds }),
    casePeople(),
    readMoney(id),
  ])
  const kase = { ...row, nextStates: CASE_TRANSITIONS[found.state] }
  const printedDefects = defects.map((one) => ({ ...one, orderId: printedId(one.orderId) }))
  return {
    kase,
    balance,
    defects: printedDefects,
    foreignOrderIds: foreign.map((order) => order.id),
    registers,
    notes,
    journal,
    people,
    ...trail,
    ...money,
  }
}

const ordersIn = (stored: ExplainedBalance<string> | null) =>
  (stored?.purchases ?? []).flatMap(({ orders }) => orders.map((order) => order.id))

/** The registers that the page names: those of the balance, and those that the defects have as evidence. */
function registersOf(stored: ExplainedBalance<string> | null, defects: CaseDefect[]) {
  const payments = (stored?.purchases ?? []).flatMap((purchase) => purchase.payments)
  const lines = payments.flatMap(({ shown }) => shown.flatMap((one) => one.lines))
  const named = defects.flatMap(({ evidence }) =>
    evidence.flatMap((one) => findNamedRegister(one) ?? [])
  )
  return [...new Set([...lines, ...named].map(({ registerId }) => registerId))]
}

/** Sources are shown by the names that they have now. */
async function readBalance(stored: ExplainedBalance<string>): Promise<CaseBalance> {
  const balance = fromStored(stored)
  const shown = balance.purchases.flatMap(({ payments }) => payments.flatMap((one) => one.shown))
  const sources = new Set([...shown, ...balance.acknowledged].map(({ source }) => source))
  sources.delete(CONFIRMS)
  const named = sources.size > 0 ? await selectSources({ ids: [...sources] }) : []
  return {
    ...balance,
    sourceNames: Object.fromEntries(named.map(({ id, name }) => [id, name])),
  }
}

/** Memos that were made for the case, and the penalty that can still be charged. */
async function readMoney(id: number) {
  const [{ penaltyTenge, isAsked }, memos] = await Promise.all([
    findPenalty(id),
    selectMemos({ id }),
  ])
  return {
    penaltyTenge: isAsked ? 0 : Number(penaltyTenge),
    memos: memos.map((memo) => ({
      ...memo,
      number: memo.number === null ? null : memoNumber(memo.number),
    })),
  }
}
