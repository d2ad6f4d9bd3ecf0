import platform from '#config/platform'

const OURS = new RegExp(`^${platform.prefix}-\\d{4}-`, 'i')

/**
 * Whether a text may be the id of a payment. Refused ones are looked for in every month, so not for an e-mail, a phone with its +, a
 * name or a number of ours.
 */
export const mayBePayment = (text: string) =>
  /\d/.test(text) && !text.includes('@') && !text.startsWith('+') && !OURS.test(text)
