import { isPlaceholder } from '#defects/facts/placeholder_ids'

const SOURCE_SUFFIX = ' of source [0-9]+$'
const WITH_SOURCE = new RegExp(SOURCE_SUFFIX)

/**
 * A payment id that a source gives itself, so that it is compared with ids of this source alone. A dummy text stays one. An
 * unknown order that only its payment identifies is named by this id.
 *
 * Example: a bank of source 3 numbers its payments from 1; a partner's confirms do, too
 *   17 of the bank       17 of source 3: not the payment 17 of a confirm
 *   printed              17
 */
export const idOfSource = (paymentId: string, sourceId: number) =>
  isPlaceholder(paymentId) ? paymentId : `${paymentId} of source ${sourceId}`

/** As the file has it, for people: a payment, or an order that is named by one. Whatever compares ids needs the whole one. */
export const printedId = (id: string) => id.replace(WITH_SOURCE, '')

/** Whether an unknown order is named by the payment of a source that numbers them itself. */
export const isNamedByPayment = (orderId: string) => WITH_SOURCE.test(orderId)

/** `printedId` in SQL. */
export const printedIdSql = (column: string) => `regexp_replace(${column}, '${SOURCE_SUFFIX}', '')`

/** `idOfSource` in SQL, for a row `w` of partner_register_rows and its source `s` of register_sources. */
export const ID_OF_SOURCE = `CASE s.payment_ids_are WHEN 'own' THEN w.payment_id || ' of source ' || s.id ELSE w.payment_id END`
