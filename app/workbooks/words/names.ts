import type backOffice from '#resources/lang/ru/back_office.json'
import type cases from '#resources/lang/ru/cases.json'
import type registers from '#resources/lang/ru/registers.json'

type Cases = Pick<typeof cases, 'defect_codes' | 'severities' | 'faults' | 'case_states'>
type BackOffice = Pick<
  typeof backOffice,
  | 'movement_kinds'
  | 'statement_statuses'
  | 'payment_statuses'
  | 'order_statuses'
  | 'ticket_statuses'
  | 'event_statuses'
  | 'categories'
  | 'void_causes'
  | 'refused_confirms'
  | 'roles'
>
type Registers = Pick<typeof registers, 'match_categories' | 'match_steps' | 'registers'>

/** The names of codes in workbooks: those of the pages, so that partner and staff read the same. */
export const namesOf = (cases: Cases, backOffice: BackOffice, registers: Registers) => ({
  kinds: backOffice.movement_kinds,
  defects: cases.defect_codes,
  severities: cases.severities,
  faults: cases.faults,
  caseStates: cases.case_states,
  statuses: backOffice.statement_statuses,
  paymentStatuses: backOffice.payment_statuses,
  orderStatuses: backOffice.order_statuses,
  ticketStatuses: backOffice.ticket_statuses,
  eventStatuses: backOffice.event_statuses,
  categories: backOffice.categories,
  voidCauses: backOffice.void_causes,
  refusedConfirms: backOffice.refused_confirms,
  /** Who did something, without a name: a party, or a role of the staff. */
  doers: { ...cases.faults, ...backOffice.roles },
  matchCategories: registers.match_categories,
  matchSteps: registers.match_steps,
  matchDecisions: {
    accepted: registers.registers.accepted,
    rejected: registers.registers.rejected,
  },
})
