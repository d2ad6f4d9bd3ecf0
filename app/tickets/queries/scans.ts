import type { RefusalCode } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Who holds the scanner: a device with a key, or a member of staff with a phone. */
export type Scanner = { name: string } & ({ deviceId: number } | { staffId: number })

/** What a phone tells of a scan beside the ticket. */
export interface PhoneScan {
  /** The phone's own name for it (UUID): told twice, it is one scan. */
  id: string
  /** When the phone judged by itself because it had no network, by its clock. */
  offlineAt: Date | null
  /** Why the phone then turned the guest away; null when it let the guest in, or asks us. */
  told: RefusalCode | null
}

export interface EarlierScan {
  verdict: string
  details: Record<string, unknown> | null
  ticket_id: string | null
}

/** The scan that a phone has already told of under this id. */
export const findScan = statement<EarlierScan>(
  'scan_find',
  'SELECT verdict, details, ticket_id FROM ticket_scans WHERE phone_scan_id = $1'
)

const insertScan = statement(
  'scan_log',
  `INSERT INTO ticket_scans (gate_device_id, staff_id, event_id, ticket_id, verdict, details, phone_scan_id, offline_at)
   SELECT $1, $2, e.id, t.id, $5, $6, $7, $8 FROM events e LEFT JOIN tickets t ON t.id = $4 WHERE e.id = $3
   ON CONFLICT (phone_scan_id) DO NOTHING`
)

export interface Scan {
  scanner: Scanner
  phone?: PhoneScan
  eventId: string
  ticketId: string | null
  verdict: string
  details?: Record<string, unknown>
}

/** Every scan leaves a row, also the refused. */
export async function logScan(scan: Scan, trx?: TransactionClientContract) {
  const { scanner, phone, eventId, ticketId, verdict, details } = scan
  const deviceId = 'deviceId' in scanner ? scanner.deviceId : null
  const staffId = 'staffId' in scanner ? scanner.staffId : null
  const told = details ? JSON.stringify(details) : null
  const ofPhone = [phone?.id ?? null, phone?.offlineAt ?? null]
  await insertScan([deviceId, staffId, eventId, ticketId, verdict, told, ...ofPhone], trx)
}
