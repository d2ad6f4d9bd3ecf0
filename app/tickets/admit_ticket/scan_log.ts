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

const insertScan = statement<object, ScanRow>(
  'scan_log',
  `INSERT INTO ticket_scans (gate_device_id, staff_id, event_id, ticket_id, verdict, details, phone_scan_id, offline_at)
   SELECT :deviceId, :staffId, e.id, t.id, :verdict, :details, :phoneScanId, :offlineAt FROM events e LEFT JOIN tickets t ON t.id = :ticketId WHERE e.id = :eventId
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
