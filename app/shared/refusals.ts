import { Exception } from '@adonisjs/core/exceptions'

type NoDetails = Record<string, never>
export interface FieldProblem {
  field: string
  rule: string
  message: string
}

interface Row<Details> {
  status: number
  message: string
  /** Only carries the type; never filled. */
  details?: Details
}

const row = <Details = NoDetails>(status: number, message: string): Row<Details> => ({
  status,
  message,
})

type Invalid = { fields: FieldProblem[] } & Record<string, unknown>
type Conflict = { field: string; stored: unknown; received: unknown }
type SeatIds = { seats: string[] }
type Days = { from: string; to: string }
type NamedRegister = Days & { id: number; file: string }
type Wait = { retry_after: number }
type Signed = { canonical_string?: string; hint?: string }

/** Every refusal that a client can meet (contract, Errors; completions, Order of checks). */
// prettier-ignore
export const REFUSALS = {
  INVALID_API_KEY:           row<{ hint?: string }>(401, 'The API key is missing or unknown'),
  INVALID_SIGNATURE:         row<Signed>(401, 'X-Signature does not match the request'),
  ACCESS_DENIED:             row(403, 'No grant for this event'),
  PARTNER_DISABLED:          row(403, 'Partner access is suspended'),
  NOT_FOUND:                 row(404, 'No such operation'),
  EVENT_NOT_FOUND:           row(404, 'No such event'),
  ORDER_NOT_FOUND:           row(404, 'No such order'),
  METHOD_NOT_ALLOWED:        row<{ allow: string[] }>(405, 'Method not allowed; see details.allow'),
  SEATS_NOT_AVAILABLE:       row<SeatIds>(409, 'At least one seat is taken; none was held'),
  SALES_PAUSED:              row(409, 'Sales are paused'),
  SALES_NOT_OPEN:            row(409, 'Sales are not open'),
  BOOKING_LIMIT_EXCEEDED:    row<{ limit: number; requested: number }>(409, 'Too many seats for one booking of this event'),
  IDEMPOTENCY_CONFLICT:      row<Conflict>(409, 'This key was already used with a different body'),
  BOOKING_EXPIRED:           row(409, 'The booking has expired; create a new booking'),
  BOOKING_NOT_FOUND:         row(409, 'No such booking'),
  BOOKING_ALREADY_CONFIRMED: row(409, 'Another order already exists for this booking'),
  ORDER_EXPIRED:             row(409, 'The confirm arrived after expires_at; refund the buyer now'),
  ORDER_CANCELLED:           row(409, 'The order was cancelled; if you have charged the buyer, refund now'),
  EVENT_CANCELLED:           row(409, 'The event was cancelled; refund the buyer now'),
  ORDER_NOT_CANCELLABLE:     row<{ status: string }>(409, 'The order is already paid and cannot be cancelled'),
  TICKET_NOT_REFUNDABLE:     row<{ ticket_id: string; status: string | null; tickets: { ticket_id: string; status: string | null }[] }>(409, 'At least one ticket cannot be refunded; no ticket was refunded'),
  PAYLOAD_TOO_LARGE:         row<{ limit_bytes: number }>(413, 'The body is larger than 64 KiB'),
  UNSUPPORTED_MEDIA_TYPE:    row(415, 'Send the body as application/json in UTF-8, without a content encoding'),
  INVALID_PARAMETERS:        row<Invalid>(422, 'A parameter is missing or wrong; see details.fields'),
  SEATS_UNKNOWN:             row<SeatIds>(422, 'A seat does not exist or belongs to another event'),
  RATE_LIMIT_EXCEEDED:       row<Wait>(429, 'Too many requests'),
  PENDING_LIMIT_EXCEEDED:    row<Wait & { limit: number }>(429, 'Too many pending orders; confirm or cancel some'),
  INTERNAL_ERROR:            row(500, 'An error on our side; repeat the request or send us its request_id'),
  SERVICE_BUSY:              row<Wait>(503, 'The service is busy; repeat the same request in a moment'),

  QR_INVALID:                row<{ number?: string; space_id?: string }>(422, 'The QR code is not a ticket of this platform'),
  CHECK_CODE_WRONG:          row(422, 'The check code does not match the one printed on the ticket'),
  TICKET_WRONG_EVENT:        row<{ event_id: string }>(409, 'The ticket is for another event'),
  TICKET_ALREADY_USED:       row<{ used_at: string; gate: string; ticket_id: string; number: string }>(409, 'The guest has already passed'),
  TICKET_VOID:               row<{ cause: string; ticket_id: string; number: string }>(409, 'The ticket is void'),
  TICKET_EXPIRED:            row<{ ended_at: string; ticket_id: string; number: string }>(409, 'The event is over'),
  INVALID_GATE_KEY:          row(401, 'The gate device key is missing or unknown'),

  STATUS_NOT_REACHABLE:      row<{ from: string; to: string }>(409, 'The event cannot change to that status from its current one'),
  EVENT_IS_OVER:             row(409, 'The event was cancelled or has ended'),
  SECOND_PERSON_NEEDED:      row(409, 'Tickets have been sold: a second person must approve'),
  OWN_REQUEST:               row(409, 'You cannot approve your own request'),
  NOT_INDEPENDENT:           row<{ linked_by: string; linked_until: string }>(409, 'One person recently set up or changed both accounts'),
  REQUEST_NOT_OPEN:          row(409, 'The request was already decided or has expired'),
  STALE:                     row<{ by?: string; at?: string }>(409, 'Somebody has changed it meanwhile'),
  NOT_YOURSELF:              row(409, 'You cannot do this to your own account'),
  LAST_ADMIN:                row(409, 'This is the last administrator'),
  SECOND_FACTOR_REQUIRED:    row(409, 'This role needs a second factor'),
  ALREADY_EXISTS:            row<{ what: string }>(409, 'It already exists'),
  PAYMENT_EXISTS:            row<{ payment_id: number; bank_reference: string; paid_on: string; amount_tenge: number }>(409, 'This bank payment is recorded already'),
  PERIOD_NOT_OVER:           row<{ closes_at: string }>(409, 'The period has not ended yet; see details.closes_at'),
  NOTHING_TO_SETTLE:         row(409, 'Nothing has been sold yet'),
  TERMS_NOT_SET:             row(409, 'No terms are agreed with this partner'),
  STATEMENT_BLOCKED:         row<{ breaches: { code: string; subject: string }[] }>(409, 'The ledger and the orders disagree'),
  DOCUMENTS_CHANGED:         row<{ documents: string[] }>(409, 'Corrections or payments of the statement are no longer what was recorded'),
  PAYMENT_OF_ANOTHER_PARTNER: row<{ partner: string }>(409, 'This bank payment is recorded for another partner'),
  TERMS_HAVE_BEGUN:          row(409, 'Terms can be withdrawn or replaced until their first day'),
  ISSUER_NOT_SET:            row(409, 'Our own legal name and BIN are not set'),
  DELIVERY_NOT_WAITING:      row(409, 'The delivery has ended or is being sent now'),
  CHECK_IS_RUNNING:          row(409, 'This partner is being checked already'),
  NOT_THE_LATEST:           row(409, 'A later statement exists; withdraw it first'),
  NO_PENALTY:               row(409, 'The terms have no penalty for this case'),
  REGISTER_UNREADABLE:       row<{ problem: string; line: number | null; column: number | null }>(422, 'The file cannot be read as a table'),
  REGISTER_FILE_TAKEN:       row<{ register_id: number; file: string }>(409, 'Another register has this file already'),
  PART_TWICE:                row<{ file: string; sheet: string | null }>(409, 'The register has this sheet already'),
  PART_COLUMNS_DIFFER:       row<{ file: string; sheet: string | null; missing: string[]; unknown: string[] }>(409, 'The columns are not those of the register'),
  SHEETS_UNDECIDED:          row<{ sheets: { file: string; sheet: string }[] }>(409, 'Sheets with rows are neither read nor left out'),
  SUGGESTIONS_UNDECIDED:     row<{ count: number }>(409, 'Suggested matches wait for a decision'),
  REGISTER_DAYS_TAKEN:       row<{ registers: NamedRegister[] }>(409, 'Other registers of the source are confirmed for these days: name those that it replaces'),
  REGISTER_DAYS_LOST:        row<{ registers: (NamedRegister & { lost: Days[] })[] }>(409, 'A confirmed register of the source covers more than these days; some of its days would be lost'),
  NO_ROWS:                   row(409, 'The register has no rows'),
  CONTROL_DIFFERS:           row<{ count: { declared: number; read: number } | null; sum: { declaredTenge: string; readTenge: string } | null }>(409, 'What was read differs from what the file declares'),
  UNREAD_MONEY:              row<{ count: number; tenge: string; rows: { line: number; column: string | null; found: string; tenge: string | null }[] }>(409, 'Rows that could not be read carry money'),
  UNKNOWN_WORDS:             row<{ count: number; tenge: string; words: { word: string; count: number; tenge: string; lines: number[] }[] }>(409, 'Rows have unknown words for an operation'),
  EARLY_REFUNDS:             row<{ count: number; tenge: string; rows: { line: number; column: string | null; found: string; tenge: string; chargedOn: string }[] }>(409, 'Refunds are dated before their charges'),
  FOREIGN_ORDERS:            row<{ count: number; tenge: string; rows: { line: number; column: string | null; found: string; order: string }[] }>(409, 'Rows name orders of other partners'),
  SETUP_UNANSWERED:          row<{ proposals: { about: string; value: string }[] }>(409, 'Questions about the source of the register are not answered'),
  SETUP_CONTRADICTED:        row<{ proposals: { about: string; value: string }[] }>(409, 'The amounts of known orders contradict the set-up of the source'),
  TOO_MANY_ORDERS:           row<{ limit: number }>(409, 'Too many orders for one person'),
  NOT_YOUR_VIEW:             row(403, 'Only its maker and administrators may change a saved view'),
  TOO_MANY_VIEWS:            row<{ limit: number }>(409, 'The person has as many saved views of this list as there may be'),
  TOO_MANY_SHARED_VIEWS:     row<{ limit: number }>(409, 'The list has as many shared views as there may be'),
  MAIL_IS_OFF:               row(409, 'No mail server is set'),
  NO_SUCH:                   row<{ what: string }>(404, 'It does not exist'),
} as const

export type RefusalCode = keyof typeof REFUSALS
type DetailsOf<Code extends RefusalCode> = (typeof REFUSALS)[Code] extends Row<infer D> ? D : never
type DetailsArgument<Code extends RefusalCode> =
  DetailsOf<Code> extends NoDetails
    ? []
    : NoDetails extends DetailsOf<Code>
      ? [details?: DetailsOf<Code>]
      : [details: DetailsOf<Code>]

/** A use case said no. Thrown, so that its transaction rolls back; a door turns it into its own shape. */
export class Refusal extends Exception {
  constructor(
    public readonly refusalCode: RefusalCode,
    public readonly details: Record<string, unknown> = {},
    message: string = REFUSALS[refusalCode].message
  ) {
    super(message, { status: REFUSALS[refusalCode].status })
  }
}

/** Refuses with a code of the table; details of the wrong shape do not compile. */
export function refuse<Code extends RefusalCode>(
  code: Code,
  ...[details]: DetailsArgument<Code>
): never {
  throw new Refusal(code, details ?? {})
}

/** One wrong parameter, in the contract's form (completions, Shapes). */
export function refuseField(
  field: string,
  rule: string,
  message: string,
  more: Record<string, unknown> = {}
): never {
  return refuse('INVALID_PARAMETERS', { fields: [{ field, rule, message }], ...more })
}
