import { statement } from '#shared/statement'

const insertOpening = statement<object, { ticketId: string }>(
  'ticket_opening_insert',
  `INSERT INTO ticket_openings (ticket_id, minute) VALUES (:ticketId, date_trunc('minute', clock_timestamp()))
   ON CONFLICT DO NOTHING`
)

/** Somebody has opened the ticket's PDF. */
export const noteOpening = (ticketId: string) => insertOpening({ ticketId })
