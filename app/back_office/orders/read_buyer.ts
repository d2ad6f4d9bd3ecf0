import type { BuyerToErase } from '#back_office/orders/orders_props'
import { findBuyer } from '#privacy/find_buyer'
import { statement } from '#shared/statement'

/** An e-mail with more orders than this is hardly one person's; the command `buyer:erase` takes it. */
export const MOST_ORDERS_OF_BUYER = 1_000

const selectBuyer = statement<
  { email: string; isErased: boolean; isStillBuying: boolean },
  { orderId: string }
>(
  'back_office_buyer_of_order',
  `SELECT customer ->> 'email' AS email, buyer_erased_at IS NOT NULL AS "isErased", stored_status = 'pending' AS "isStillBuying"
     FROM orders WHERE id = :orderId`
)

export const readBuyerOfOrder = (orderId: string) => selectBuyer.first({ orderId })

/** What erasing the buyer of an order would erase; null when there is nobody to erase, or not yet. */
export async function readBuyerToErase(orderId: string): Promise<BuyerToErase | null> {
  const buyer = await readBuyerOfOrder(orderId)
  if (!buyer || buyer.isErased || buyer.isStillBuying) return null
  const countsOf = async (search: Parameters<typeof findBuyer>[0]) => {
    const found = await findBuyer(search, MOST_ORDERS_OF_BUYER + 1)
    return {
      orders: found.orderIds.length,
      upcoming: found.upcoming.length,
      inOpenCases: found.inOpenCases.length,
    }
  }
  const [order, email] = await Promise.all([
    countsOf({ foundBy: 'order', text: orderId }),
    countsOf({ foundBy: 'email', text: buyer.email }),
  ])
  return { order, email, isEmailShared: email.orders > MOST_ORDERS_OF_BUYER }
}
