import { messages, reason } from '#staff_area/form_fields'
import { ROLES } from '#staff/role'
import vine from '@vinejs/vine'

const LONGEST_EMAIL = 254
const LONGEST_NAME = 120

export const newStaffValidator = vine.create({
  email: vine.string().trim().email().maxLength(LONGEST_EMAIL),
  name: vine.string().trim().minLength(2).maxLength(LONGEST_NAME),
  role: vine.enum(ROLES),
})

export const roleValidator = vine.create({
  from: vine.enum(ROLES),
  to: vine.enum(ROLES),
  reason: reason(),
})

export const standingValidator = vine.create({
  standing: vine.enum(['disabled', 'enabled'] as const),
  reason: reason(),
})

export const reasonValidator = vine.create({ reason: reason() })

for (const validator of [newStaffValidator, roleValidator, standingValidator, reasonValidator])
  validator.messagesProvider = messages
