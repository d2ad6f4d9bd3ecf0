import { messages, reason, rowNumber } from '#staff_area/form_fields'
import vine from '@vinejs/vine'

const month = () => vine.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

/** `from` is the version that was in force when the form was opened. */
export const activationValidator = vine.create({ from: rowNumber(), reason: reason() })
activationValidator.messagesProvider = messages

export const comparisonValidator = vine.create({
  base: rowNumber(),
  /** The first and the last month. */
  from: month(),
  to: month(),
  /** A partner's code; null for all partners. */
  partner: vine.string().trim().maxLength(100).nullable(),
})
comparisonValidator.messagesProvider = messages
