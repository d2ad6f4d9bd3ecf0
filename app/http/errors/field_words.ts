import type { FieldProblem } from '#shared/refusals'

/** Validation rule → key of the text that staff see; the rule's own message is in English, for programs. */
// prettier-ignore
export const FIELD_WORDS: Record<string, string> = {
  required: 'fields.required',
  email:    'fields.not_an_email',
  date:     'fields.not_a_date',
  midnight: 'fields.not_a_date',
  address:  'partners.not_an_address',
  exists:   'fields.not_one_of_these',
  positive: 'fields.too_small',
  range:    'fields.out_of_range',
  most:     'fields.too_many',
  taken:    'fields.name_taken',
  count:    'fields.wrong_count',
  sum:      'fields.parts_wrong',
  direction: 'fields.other_way',
  future:   'fields.in_past',
  not_future: 'fields.in_future',
  recent:   'fields.too_old',
  over:     'fields.not_over',
  after:    'fields.ends_too_early',
  before:   'fields.too_late',
  after_payment: 'fields.before_payment',
  other:    'fields.unchanged',
  size:     'uploads.too_large',
}
const KEY = /^[a-z_]+(\.\w+)+$/

/** The key of the text for staff: the message itself when it is a key, otherwise the text of its rule. */
export const fieldWords = ({ rule, message }: FieldProblem) =>
  KEY.test(message) ? message : (FIELD_WORDS[rule] ?? 'fields.wrong_form')
