/** More orders than one payment can stand for by any honest mistake. No threshold of a rule: it decides what is one case. */
export const MOST_ORDERS_OF_A_PAYMENT = 3
const PLACEHOLDER = /^(0+|test|тест|null|none|undefined|n\/?a|-+|x+|1+|12345?6?)$/i

/** A payment id that names no payment, by itself or because too many orders bear it: nothing may be linked by it. */
export const isPlaceholder = (paymentId: string, orders: number) =>
  PLACEHOLDER.test(paymentId.trim()) || orders > MOST_ORDERS_OF_A_PAYMENT
