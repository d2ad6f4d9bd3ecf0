/** What the journal records about blocked seats and the storefront, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    seats_blocked: { seats: string[]; reason: string | null }
    seats_unblocked: { seats: string[]; reason: string | null }
    storefront_held: { seats: string[]; cart_id: string }
    storefront_released: { cart_id: string; seats: number }
    storefront_sold: { cart_id: string; seats: number }
  }
}

export {}
