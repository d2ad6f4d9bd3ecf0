import type { Transitions } from '#shared/transitions'

export const STATEMENT_STATUSES = [
  'issued',
  'agreed',
  'disputed',
  'closed',
  'part_paid',
  'paid',
  'superseded',
] as const
export type StatementStatus = (typeof STATEMENT_STATUSES)[number]
export type StatementTrigger = 'agree' | 'dispute' | 'close' | 'pay' | 'payAll' | 'supersede'

/** No status is ever undone: an error is corrected by a memo, or by a new statement before the partner has agreed. */
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

/** A number of documents with at least six digits: `000001`. */
export const paddedNumber = (number: number) => String(number).padStart(6, '0')
/** The number as letters and bank payments quote it: `SET-000001`. */
export const statementNumber = (number: number) => `SET-${paddedNumber(number)}`
/** `MEM-000001` */
export const memoNumber = (number: number) => `MEM-${paddedNumber(number)}`
