import { messages, rowNumber } from '#staff_area/form_fields'
import { RHYTHMS } from '#reporting/schedules/rhythm'
import { REPORT_KINDS } from '#reporting/schedules/schedules'
import { LANGUAGES } from '#shared/languages'
import vine from '@vinejs/vine'

const asked = {
  kind: vine.enum(REPORT_KINDS),
  every: vine.enum(RHYTHMS),
  day: vine.number().withoutDecimals().min(1).max(31).nullable(),
  hour: vine.number().withoutDecimals().min(0).max(23),
  language: vine.enum(LANGUAGES),
  recipients: vine.array(vine.string().trim().email().maxLength(254)).minLength(1).maxLength(10),
}

export const scheduleValidator = vine.create({ partner: vine.string().minLength(1), ...asked })
scheduleValidator.messagesProvider = messages

export const scheduleChangeValidator = vine.create({
  version: rowNumber(),
  ...asked,
})
scheduleChangeValidator.messagesProvider = messages

export const standingValidator = vine.create({ isActive: vine.boolean() })
standingValidator.messagesProvider = messages
