import { LONGEST_PASSWORD } from '#staff/password'
import vine, { SimpleMessagesProvider } from '@vinejs/vine'

const LONGEST_EMAIL = 254
const LONGEST_CODE = 40

export const sessionValidator = vine.create({
  email: vine.string().trim().email().maxLength(LONGEST_EMAIL),
  password: vine.string().maxLength(LONGEST_PASSWORD),
})

/** Six digits, or a recovery code. */
export const codeValidator = vine.create({
  code: vine.string().trim().maxLength(LONGEST_CODE),
})

// Messages are keys of the page's texts.
const messages = new SimpleMessagesProvider({
  'required': 'sign_in.required',
  'email.email': 'sign_in.not_an_email',
  'maxLength': 'sign_in.too_long',
})
sessionValidator.messagesProvider = messages
codeValidator.messagesProvider = messages
