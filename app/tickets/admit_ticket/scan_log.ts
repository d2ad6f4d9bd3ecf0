import type { RefusalCode } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The scanner: a gate device, or a member of staff with a phone. */
export type Scanner = { name: string } & ({ deviceId: number } | { staffId: number })

/** What a phone sends with a scan, besides the ticket. */
export interface PhoneScan {
  /** UUID made by the phone: a scan that is sent twice is recorded once. */
  id: string
  /** When the phone decided without network, by its clock; null for a scan that we decide. */
  offlineAt: Date | null
  /** Why the phone refused the guest without network; null when it admitted the guest, or when we decide. */
  refusedOffline: RefusalCode | null
}

export interface EarlierScan {
  verdict: string
  details: Record<string, unknown> | null
  ticket_id: string | null
}

/** The scan that a phone has already sent under this id. */
export const findScan = statement<EarlierScan, { phoneId: string }>(
  'scan_find',
  'SELECT verdict, details, ticket_id FROM ticket_scans WHERE phone_scan_id = :phoneId'
)

interface ScanRow {
  deviceId: number | null
  staffId: number | null
  eventId: string
  ticketId: string | null
  verdict: string
  details: string | null
  phoneScanId: string | null
  offlineAt: Date | null
}

// Without the key's name: `phone_scan_id` alone is no key of a table that is partitioned by time (ADR 31). No other key can be met:
// the id is the database's own.
const insertScan = statement<object, ScanRow>(
  'scan_log',
  `INSERT INTO ticket_scans (gate_device_id, staff_id, event_id, ticket_id, verdict, details, phone_scan_id, offline_at)
   SELECT :deviceId, :staffId, e.id, t.id, :verdict, :details, :phoneScanId, :offlineAt
     FROM events e LEFT JOIN tickets t ON t.id = :ticketId WHERE e.id = :eventId
   ON CONFLICT DO NOTHING`
)

export interface Scan {
  scanner: Scanner
  phone?: PhoneScan
  eventId: string
  ticketId: string | null
  verdict: string
  details?: Record<string, unknown>
}

/** Records a scan; refused scans are recorded too. */
export async function recordScan(scan: Scan, trx?: TransactionClientContract) {
  const { scanner, phone, eventId, ticketId, verdict, details } = scan
  const row: ScanRow = {
    deviceId: 'deviceId' in scanner ? scanner.deviceId : null,
    staffId: 'staffId' in scanner ? scanner.staffId : null,
    eventId,
    ticketId,
    verdict,
    details: details ? JSON.stringify(details) : null,
    phoneScanId: phone?.id ?? null,
    offlineAt: phone?.offlineAt ?? null,
  }
  await insertScan(row, trx)
}
