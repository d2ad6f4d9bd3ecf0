import platform from '#config/platform'
import { EPOCH } from '#partners/feed/epoch'
import { statement } from '#shared/statement'
import { storageDirectory } from '#shared/storage'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { readdir } from 'node:fs/promises'

/** An order of ours that this database does not have, as a partner names it. */
export interface GapOrder {
  partner: string
  partnerId: number
  orderId: string
  source: 'register' | 'confirm'
  tenge: bigint | null
}

/** Sales and payments in registers, and signed confirms since the restore. Who names an order of ours has had it from us. */
const selectOrders = statement<GapOrder, { shape: string; from: Date }>(
  'restore_gap_orders',
  `WITH named AS (
     SELECT g.partner_id, upper(r.order_id) AS order_id, 'register' AS source, sum(r.amount_tenge)::bigint AS tenge
       FROM partner_registers g JOIN partner_register_rows r ON r.register_id = g.id
      WHERE g.state <> 'dropped' AND g.period_to > :from AND r.kind = 'sale' AND NOT r.is_not_paid
        AND upper(r.order_id) ~ :shape
      GROUP BY g.partner_id, upper(r.order_id)
     UNION ALL
     SELECT partner_id, order_id_sent, 'confirm', max(amount_tenge)
       FROM confirm_attempts
      WHERE received_at >= :from AND signature_valid AND order_id_sent ~ :shape
      GROUP BY partner_id, order_id_sent)
   SELECT DISTINCT ON (n.partner_id, n.order_id) p.code AS partner, p.id AS "partnerId", n.order_id AS "orderId", n.source, n.tenge
     FROM named n JOIN partners p ON p.id = n.partner_id
    WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = n.order_id)
    ORDER BY n.partner_id, n.order_id, n.source DESC`
)

/** A guest whose ticket was signed by us and is unknown here. */
export interface GapGuest {
  eventId: string
  number: string
  spaceId: string
}

const selectGuests = statement<GapGuest, { from: Date }>(
  'restore_gap_guests',
  `SELECT DISTINCT event_id AS "eventId", details ->> 'number' AS number, details ->> 'space_id' AS "spaceId"
     FROM ticket_scans s
    WHERE scanned_at >= :from AND verdict = 'QR_INVALID' AND details ->> 'number' IS NOT NULL
      AND NOT EXISTS (SELECT FROM tickets t WHERE t.number = s.details ->> 'number')
    ORDER BY 1, 2`
)

/** A partner that has sent a cursor of the gap: it was served by us until then. */
export interface ServedPartner {
  partner: string
  until: Date
}

const selectServed = statement<ServedPartner, { from: Date }>(
  'restore_gap_feeds',
  `SELECT p.code AS partner, f.cursor_at AS until
     FROM feed_reads f JOIN partners p ON p.id = f.partner_id
    WHERE f.cursor_at > :from AND f.epoch <> ${EPOCH} ORDER BY p.code`
)

const selectRegisters = statement<{ name: string }>(
  'restore_register_files',
  `SELECT id || '-' || sha256 AS name FROM partner_registers`
)

export interface GapEvidence {
  orders: GapOrder[]
  guests: GapGuest[]
  served: ServedPartner[]
  /** Files of registers in the storage directory that this database does not know: they were uploaded in the gap. */
  registerFiles: string[]
}

/** Everything that was seen of the gap since the restore, and in the storage directory. */
export async function readGapEvidence(
  from: Date,
  trx?: TransactionClientContract
): Promise<GapEvidence> {
  const shape = `^${platform.prefix}-[0-9]{4}-[0-9]{6,15}$`
  const orders = await selectOrders({ shape, from }, trx)
  const guests = await selectGuests({ from }, trx)
  const served = await selectServed({ from }, trx)
  const registers = await selectRegisters({}, trx)
  const known = new Set(registers.map(({ name }) => name))
  const files = await readdir(await storageDirectory('registers'))
  const registerFiles = files.filter((name) => /^\d+-[0-9a-f]{64}$/.test(name) && !known.has(name))
  return { orders, guests, served, registerFiles }
}

/** Sequence → the highest number that the evidence names. */
export function highestNamed({ orders, guests }: GapEvidence) {
  const highest = (texts: string[]) =>
    texts
      .map((text) => BigInt(text.split('-').at(-1)!))
      .reduce((most, one) => (one > most ? one : most), 0n)
  return {
    order_numbers: highest(orders.map(({ orderId }) => orderId)),
    ticket_numbers: highest(guests.map(({ number }) => number)),
  }
}
