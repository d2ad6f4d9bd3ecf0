import type { GateDeviceLine } from '#back_office/gate_devices/gate_devices_props'
import { statement } from '#shared/statement'

export const listGateDevices = statement<GateDeviceLine>(
  'back_office_gate_devices',
  `SELECT d.id, d.name, d.created_at AS "createdAt", d.revoked_at AS "revokedAt",
          (SELECT scanned_at FROM ticket_scans WHERE gate_device_id = d.id ORDER BY id DESC LIMIT 1) AS "lastScanAt"
     FROM gate_devices d ORDER BY d.revoked_at IS NOT NULL, d.name`
)
