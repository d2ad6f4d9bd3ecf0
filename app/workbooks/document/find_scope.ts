import { findPartner } from '#partners/queries/find_partner'
import type { Period } from '#ledger/periods'
import { findNextPeriod } from '#ledger/queries/find_next_period'
import { findStatement } from '#ledger/queries/find_statement'
import type { WorkbookPartner } from '#workbooks/document/document'
import type { Language } from '#shared/languages'
import { refuse, refuseField } from '#shared/refusals'

/** An issued statement, or a draft of any range [from, to). */
export type ScopeInput = { statementId: number } | { from: Date; to: Date }

/** The parameters of every query of a workbook, see `scope_sql.ts`. */
export interface ScopeParams {
  partnerId: number
  from: Date
  to: Date
  statementId: number | null
  language: Language
  /** Whether earlier movements that are in no statement belong to it. */
  takesLate: boolean
}

export interface WorkbookScope {
  partner: WorkbookPartner
  from: Date
  to: Date
  statementId: number | null
  params: ScopeParams
}

/** Refuses NO_SUCH for an unknown partner and for another partner's statement. */
export async function findScope(
  partnerCode: string,
  scope: ScopeInput,
  language: Language
): Promise<WorkbookScope> {
  const partner = await findPartner(partnerCode)
  const { from, to, statementId } = await periodOf(partner, scope)
  const takesLate = statementId === null && (await isNextPeriod(partner, { from, to }))
  return {
    partner,
    from,
    to,
    statementId,
    params: { partnerId: partner.id, from, to, statementId, language, takesLate },
  }
}

async function periodOf(partner: WorkbookPartner, scope: ScopeInput) {
  if ('from' in scope) {
    if (scope.from >= scope.to) refuseField('to', 'after', 'must be later than the beginning')
    return { ...scope, statementId: null }
  }
  const found = await findStatement(scope.statementId)
  if (found.partnerId !== partner.id) refuse('NO_SUCH', { what: `statement of ${partner.code}` })
  return { from: found.from, to: found.to, statementId: found.id }
}

/** A draft of the next period to close has what its statement will have, late movements included. */
async function isNextPeriod(partner: WorkbookPartner, { from, to }: Period) {
  const next = await findNextPeriod(partner.id)
  return next?.from.getTime() === from.getTime() && next.to.getTime() === to.getTime()
}
