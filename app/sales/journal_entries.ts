/** What the journal records about bookings, orders, refunds and cancelled events, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    booking_created: NoDetails
    booking_expired: { expired_at: string; seats: string[] }
    order_placed: NoDetails
    order_confirmed: NoDetails
    order_cancelled: NoDetails
    order_expired: NoDetails
    event_cancelled: {
      reason: string
      tickets_voided: number
      bookings_expired: number
      asked_by?: string
    }
    event_cancellation_asked: { reason: string; lapses_at: string }
    event_cancellation_approved: { asked_by: string }
    event_cancellation_declined: { asked_by: string; reason: string }
    tickets_refunded: { ticket_ids: string[]; reason: string; refunded_tenge: string }
    tickets_voided: { ticket_ids: string[]; reason: string; worth_tenge: string }
    event_cancellation_lapsed: { asked_by: string }
  }
}

export {}
