/** Who caused a change: a partner by its key, a staff member, the clock, a gate device, the storefront or the shell. */
export interface Actor {
  kind: 'partner' | 'staff' | 'clock' | 'gate' | 'storefront' | 'console'
  name: string
  /** UUID of the request that carried it, when there was one. */
  requestId: string | null
}

export const CLOCK: Actor = { kind: 'clock', name: 'clock', requestId: null }
