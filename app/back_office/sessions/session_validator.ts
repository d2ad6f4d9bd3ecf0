import { SimpleMessagesProvider } from '@vinejs/vine'
import vine from '@vinejs/vine'

const LONGEST_EMAIL = 254
/** Hashing takes longer the more there is to hash. */
const LONGEST_PASSWORD = 200

export const sessionValidator = vine.create({
  email: vine.string().trim().email().maxLength(LONGEST_EMAIL),
  password: vine.string().maxLength(LONGEST_PASSWORD),
})

// Messages are keys of the page's texts.
sessionValidator.messagesProvider = new SimpleMessagesProvider({
  'required': 'sign_in.required',
  'email.email': 'sign_in.not_an_email',
  'maxLength': 'sign_in.too_long',
})
