import CheckPeriod from '#defects/cases/check_period'
import { CASE_FILTERS, type CaseFilters } from '#finance/cases/cases_props'
import { dataOf } from '#tests/support/answers'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf, type TestPartner } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { noonOn } from '#tests/support/register_defects'
import {
  confirmedRegister,
  fileOf,
  lineOf,
  partnerFieldsOf,
  soldOrderOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'

/** The list of cases as it opens. */
export const NO_FILTERS = Object.fromEntries(
  CASE_FILTERS.map((name) => [name, null])
) as CaseFilters

const DAY_MS = 86_400_000

/** Searches yesterday and today for defects. */
export const refreshDefects = ({ id }: TestPartner) =>
  new CheckPeriod().handle({
    partnerId: id,
    from: new Date(Date.now() - DAY_MS),
    to: new Date(Date.now() + DAY_MS),
  })

/** A payment whose confirm came after the payment window. */
export async function latePayment(seats = ['seat-2-1']) {
  const { client, event, partner } = await aSale()
  const booking = dataOf(await book(client, event.id, seats))
  const placed = dataOf(await order(client, booking.booking_id))
  await lapseOrder(placed.order_id)
  const payment = paymentOf(placed.total_tenge)
  await confirm(client, placed.order_id, payment)
  return { client, event, partner, orderId: placed.order_id as string, payment }
}

/** The case of such a payment. */
export async function lateCase() {
  const sale = await latePayment()
  await refreshDefects(sale.partner)
  const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', sale.orderId)
  return { ...sale, caseId: id as number }
}

/** Buyers' 12,000 of a second payment and our 12,000 that the register lacks, in one case. */
export async function aCaseOfTwoParties() {
  const sale = await aSale()
  await setTerms(sale.partner)
  const here = await soldOrderOf(sale, ['seat-2-1'])
  const lacking = await soldOrderOf(sale, ['seat-2-2'])
  await confirm(sale.client, lacking, paymentOf(12_000))
  const registerId = await confirmedRegister(sale.partner, fileOf(await lineOf(here)))
  await refreshDefects(sale.partner)
  const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', lacking)
  return { ...sale, key: lacking, caseId: id as number, registerId }
}

/** A late payment of 12,000 that a register shows too, with 4,000 that went back. */
export async function aPartlyReturnedCase() {
  const sale = await lateCase()
  const { key } = await partnerFieldsOf(sale.orderId)
  const paymentId = sale.payment.payment_info.external_payment_id
  const line = (tenge: number, kind: string) => `${key};${paymentId};${noonOn(0)};${tenge};${kind}`
  const registerId = await confirmedRegister(
    sale.partner,
    fileOf(line(12_000, 'Оплата'), line(-4_000, 'Возврат'))
  )
  await refreshDefects(sale.partner)
  return { ...sale, registerId, paymentId }
}
