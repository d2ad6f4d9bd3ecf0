export const CASE_STATES = ['open', 'in_work', 'with_partner', 'resolved', 'dismissed'] as const
export type CaseState = (typeof CASE_STATES)[number]

/** state → the states that a case can be put into. */
// prettier-ignore
export const CASE_TRANSITIONS: Record<CaseState, readonly CaseState[]> = {
  open:         ['in_work', 'with_partner', 'resolved', 'dismissed'],
  in_work:      ['open', 'with_partner', 'resolved', 'dismissed'],
  with_partner: ['open', 'in_work', 'resolved', 'dismissed'],
  resolved:     ['open', 'in_work'],
  dismissed:    ['open', 'in_work'],
}

export const isSettled = (state: CaseState) => state === 'resolved' || state === 'dismissed'

/** Ending a case needs its outcome, going back to an earlier state needs a reason. */
export const wantsReason = (from: CaseState, to: CaseState) =>
  isSettled(to) || CASE_STATES.indexOf(to) < CASE_STATES.indexOf(from)
