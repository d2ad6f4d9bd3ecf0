import vine, { SimpleMessagesProvider } from '@vinejs/vine'

const LONGEST_REASON = 500

/** The reason for an action; it is recorded in the journal. */
export const reason = () => vine.string().trim().minLength(3).maxLength(LONGEST_REASON)

/** The id of a row, or its version: an integer of PostgreSQL. */
export const rowNumber = () =>
  vine
    .number()
    .withoutDecimals()
    .min(1)
    .max(2 ** 31 - 1)

/** Messages are keys of the pages' texts. */
export const messages = new SimpleMessagesProvider({
  'required': 'fields.required',
  'minLength': 'fields.too_short',
  'maxLength': 'fields.too_long',
  'email': 'fields.not_an_email',
  'enum': 'fields.not_one_of_these',
  'number': 'fields.not_a_number',
  'min': 'fields.too_small',
  'max': 'fields.too_large',
  'date': 'fields.not_a_date',
  'regex': 'fields.wrong_form',
  'withoutDecimals': 'fields.not_a_number',
  'array.minLength': 'fields.choose_one',
})
