export interface GateDeviceLine {
  id: number
  name: string
  createdAt: string
  revokedAt: string | null
  lastScanAt: string | null
}

/** A new device with its key. */
export interface IssuedDevice {
  name: string
  key: string
}

export interface GateDevicesPage {
  devices: GateDeviceLine[]
  /** Shown once, after it was created. */
  issued: IssuedDevice | null
}
