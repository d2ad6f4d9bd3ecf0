import { messages, rowNumber } from '#staff_area/form_fields'
import { LANGUAGES } from '#shared/languages'
import vine from '@vinejs/vine'

const LONGEST_EMAIL = 254

export const newContactValidator = vine.create({
  email: vine.string().trim().email().maxLength(LONGEST_EMAIL),
  language: vine.enum(LANGUAGES),
  getsStatements: vine.boolean(),
})
newContactValidator.messagesProvider = messages

export const contactValidator = vine.create({
  language: vine.enum(LANGUAGES),
  getsStatements: vine.boolean(),
  /** The values that the form was opened with. */
  was: vine.object({ language: vine.enum(LANGUAGES), getsStatements: vine.boolean() }),
})
contactValidator.messagesProvider = messages

export const statementMailValidator = vine.create({
  contactIds: vine.array(rowNumber()).minLength(1).maxLength(20),
})
statementMailValidator.messagesProvider = messages
