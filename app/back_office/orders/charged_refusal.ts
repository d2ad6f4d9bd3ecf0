/**
 * Condition on `confirm_attempts c` and `orders o`: a buyer was charged for an order that had ended, and it was not paid later.
 * The overview and the order's page speak of the same payments.
 */
export const IS_CHARGED_REFUSAL = `c.code IN ('ORDER_EXPIRED', 'ORDER_CANCELLED', 'EVENT_CANCELLED') AND c.amount_tenge > 0
  AND o.confirmed_at IS NULL`
