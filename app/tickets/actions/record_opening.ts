import { statement } from '#shared/statement'

const insertOpening = statement<object, { ticketId: string }>(
  'ticket_opening_insert',
  `INSERT INTO ticket_openings (ticket_id, minute) VALUES (:ticketId, date_trunc('minute', clock_timestamp()))
   ON CONFLICT DO NOTHING`
)

/** Records that the ticket's PDF was opened, once a minute. */
export const recordOpening = (ticketId: string) => insertOpening({ ticketId })
