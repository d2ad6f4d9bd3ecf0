import { messages } from '#staff_area/form_fields'
import { LONGEST_PASSWORD } from '#staff/password'
import vine from '@vinejs/vine'

const LONGEST_CODE = 12

const currentPassword = () => vine.string().maxLength(LONGEST_PASSWORD)

export const ownPasswordValidator = vine.create({
  currentPassword: currentPassword(),
  password: vine.string().maxLength(LONGEST_PASSWORD),
})

export const secondFactorValidator = vine.create({
  currentPassword: currentPassword(),
  code: vine.string().trim().maxLength(LONGEST_CODE),
})

export const confirmationValidator = vine.create({ currentPassword: currentPassword() })

for (const validator of [ownPasswordValidator, secondFactorValidator, confirmationValidator])
  validator.messagesProvider = messages
