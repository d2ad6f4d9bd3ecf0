/** The partner as a sale needs it: its identity and the settings that apply to the next booking or order. */
export interface SellingPartner {
  id: number
  isSuspended: boolean
  requestsInFlight: number
  pendingOrders: number
  holdSeconds: number
  paymentWindowSeconds: number
}
