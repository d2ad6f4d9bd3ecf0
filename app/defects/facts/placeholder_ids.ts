/** A payment id with more orders than this is a constant. Not a rule's threshold: it decides which orders form one story. */
export const MAX_ORDERS_OF_A_PAYMENT = 20
const PLACEHOLDER = /^(0+|test|тест|null|none|undefined|n\/?a|-+|x+|1+|12345?6?)$/i

/** Whether a payment id is a dummy text such as `test` or `0`. */
export const isPlaceholder = (paymentId: string) => PLACEHOLDER.test(paymentId.trim())

/** Whether a payment has too many orders to be theirs. */
export const isOverShared = (orders: number) => orders > MAX_ORDERS_OF_A_PAYMENT

/** Whether a payment id, found with so many orders, names no payment of theirs. */
export const namesNoPayment = (paymentId: string, orders: number) =>
  isPlaceholder(paymentId) || isOverShared(orders)
