import platform from '#config/platform'

/**
 * Whether a text may be the id of a payment. Refused ones are looked for in every month, so not for an e-mail, a phone with its +, a
 * name or a number of ours.
 */
export function mayBePayment(text: string): boolean {
  const isOurs = text.toUpperCase().startsWith(`${platform.prefix}-`)
  return /\d/.test(text) && !text.includes('@') && !text.startsWith('+') && !isOurs
}
