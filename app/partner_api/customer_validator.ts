import { text } from '#partner_api/validation'
import { refuseField } from '#shared/refusals'
import vine from '@vinejs/vine'

export const email = () => text(1, 254).email()

/** Optional on a booking (contract, Customer). */
export const customer = () =>
  vine.object({
    name: text(0, 200).optional(),
    email: email().optional(),
    phone: text(0, 32).optional(),
  })

/** The validator treats null as "not sent"; the contract refuses it. */
export function refuseNull(field: string, value: unknown) {
  if (value === null) refuseField(field, 'object', `The ${field} field must be an object`)
}
