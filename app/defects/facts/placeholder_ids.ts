/** A payment id with more orders than this is no mistake in one order. Not a rule's threshold: it decides which orders form one case. */
export const MAX_ORDERS_OF_A_PAYMENT = 3
const PLACEHOLDER = /^(0+|test|тест|null|none|undefined|n\/?a|-+|x+|1+|12345?6?)$/i

/** Whether a payment id names no payment: it is a dummy text, or too many orders have it. It must not join orders to one case. */
export const isPlaceholder = (paymentId: string, orders: number) =>
  PLACEHOLDER.test(paymentId.trim()) || orders > MAX_ORDERS_OF_A_PAYMENT
