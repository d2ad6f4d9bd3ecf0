import type { Transitions } from '#shared/transitions'

export const STATEMENT_STATUSES = [
  ...(['issued', 'agreed', 'disputed', 'closed', 'part_paid', 'paid', 'superseded'] as const),
]
export type StatementStatus = (typeof STATEMENT_STATUSES)[number]
export type StatementTrigger = 'agree' | 'dispute' | 'close' | 'pay' | 'payAll' | 'supersede'

/** There is no way back: what was wrong is corrected by a memo in the next period, or, before anybody has agreed, by a new statement. */
// prettier-ignore
export const STATEMENT_TRANSITIONS: Transitions<StatementStatus, StatementTrigger> = {
  issued:     { agree: 'agreed', dispute: 'disputed',                  supersede: 'superseded' },
  disputed:   { agree: 'agreed',                      close: 'closed', supersede: 'superseded' },
  agreed:     {                                       close: 'closed' },
  closed:     { pay: 'part_paid', payAll: 'paid' },
  part_paid:  { pay: 'part_paid', payAll: 'paid' },
  paid:       {},
  superseded: {},
}

/** As it is quoted in letters and bank payments. */
export const statementNumber = (number: number) => `SET-${String(number).padStart(6, '0')}`
export const memoNumber = (number: number) => `MEM-${String(number).padStart(6, '0')}`
