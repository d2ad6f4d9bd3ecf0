import { messages, reason, rowNumber } from '#staff_area/form_fields'
import vine from '@vinejs/vine'

const month = () => vine.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

/** `from` is the version in force as it was seen. */
export const activationValidator = vine.create({ from: rowNumber(), reason: reason() })
activationValidator.messagesProvider = messages

export const comparisonValidator = vine.create({
  base: rowNumber(),
  /** The first and the last month. */
  from: month(),
  to: month(),
  /** Null for all. */
  partner: vine.string().trim().maxLength(100).nullable(),
})
comparisonValidator.messagesProvider = messages
