import { day } from '#staff_area/day_field'
import { messages, rowNumber } from '#staff_area/form_fields'
import { LANGUAGES } from '#shared/languages'
import vine from '@vinejs/vine'

/** The workbook of a statement, or a draft from the first to the last day of a range. */
export const workbookValidator = vine.create({
  statementId: rowNumber().optional(),
  from: day().optional(),
  to: day().optional(),
  language: vine.enum(LANGUAGES),
  hasTwins: vine.boolean(),
})
workbookValidator.messagesProvider = messages
