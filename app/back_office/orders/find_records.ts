import type { FoundRecord } from '#back_office/orders/orders_props'
import { findCaseIds } from '#staff_area/find_case_ids'
import { exposureOf, isOpenCase } from '#defects/cases/open_exposure'
import { memoNumber, statementNumber, statementStatus } from '#ledger/statement_status'
import { may } from '#staff_area/permissions'
import type { Role } from '#staff/role'
import { statement } from '#shared/statement'

type Found<Kind extends FoundRecord['kind']> = Omit<
  Extract<FoundRecord, { kind: Kind }>,
  'kind' | 'number'
>
type Numbered<Kind extends 'statement' | 'memo'> = Found<Kind> & { number: number }

const selectStatement = statement<Numbered<'statement'>, { number: number }>(
  'back_office_find_statement',
  `SELECT s.id, s.number, p.name AS "partnerName", s.period_from AS "from", s.period_to AS "to", ${statementStatus('s')} AS status,
          s.closing_tenge::float8 AS "closingTenge"
     FROM settlement_statements s JOIN partners p ON p.id = s.partner_id WHERE s.number = :number`
)
const selectMemo = statement<Numbered<'memo'>, { number: number }>(
  'back_office_find_memo',
  `SELECT m.id, m.number, p.code AS partner, p.name AS "partnerName", m.kind AS "memoKind", m.amount_tenge::float8 AS "amountTenge", m.reason
     FROM settlement_memos m JOIN partners p ON p.id = m.partner_id WHERE m.number = :number`
)
const selectCases = statement<Found<'case'>, { ids: number[] }>(
  'back_office_find_cases',
  `SELECT c.id, p.name AS "partnerName", c.state, c.gone_at IS NOT NULL AS "isGone", (${isOpenCase('c')}) AS "isOpen",
          ${exposureOf('c')} AS exposure, c.chain
     FROM settlement_cases c JOIN partners p ON p.id = c.partner_id WHERE c.id = ANY (:ids::integer[])
    ORDER BY c.id DESC`
)

/** More cases than this are for the list of cases. */
const MOST_CASES = 10

/** `SET-000012`, `set 12`; the number alone is a case's. */
const DOCUMENT = /^(SET|MEM)[-\s]?(\d{1,9})$/i

/** Cases by their number or by what they are about; for those who may read settlement, statements and memos by their number, too. */
export async function findRecords(text: string, role: Role): Promise<FoundRecord[]> {
  if (!may(role, 'cases.read')) return []
  const [, kind, digits] = DOCUMENT.exec(text) ?? []
  if (kind)
    return may(role, 'settlement.read') ? findDocument(kind.toUpperCase(), Number(digits)) : []
  const ids = await findCaseIds(text)
  const cases = await selectCases({ ids: ids.slice(0, MOST_CASES) })
  return cases.map((one) => ({ kind: 'case', ...one }))
}

async function findDocument(kind: string, number: number): Promise<FoundRecord[]> {
  if (kind === 'SET') {
    const found = await selectStatement({ number })
    return found.map((one) => ({ ...one, kind: 'statement', number: statementNumber(one.number) }))
  }
  const found = await selectMemo({ number })
  return found.map((one) => ({ ...one, kind: 'memo', number: memoNumber(one.number) }))
}
