import type backOffice from '#resources/lang/ru/back_office.json'
import type cases from '#resources/lang/ru/cases.json'

type Cases = Pick<typeof cases, 'defect_codes' | 'severities' | 'faults' | 'case_states'>
type BackOffice = Pick<
  typeof backOffice,
  'movement_kinds' | 'statement_statuses' | 'payment_statuses'
>

/** The names of codes in workbooks: those of the pages, so that partner and staff read the same. */
export const namesOf = (cases: Cases, backOffice: BackOffice) => ({
  kinds: backOffice.movement_kinds,
  defects: cases.defect_codes,
  severities: cases.severities,
  faults: cases.faults,
  caseStates: cases.case_states,
  statuses: backOffice.statement_statuses,
  paymentStatuses: backOffice.payment_statuses,
})
