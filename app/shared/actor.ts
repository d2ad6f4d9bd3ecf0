/** Who caused a change: a partner by its key, a staff member, the clock, a gate device, the storefront, the shell, or somebody who isn't signed in. */
export interface Actor {
  kind: 'partner' | 'staff' | 'clock' | 'gate' | 'storefront' | 'console' | 'visitor'
  name: string
  /** UUID of the request that carried it, when there was one. */
  requestId: string | null
}

export const CLOCK: Actor = { kind: 'clock', name: 'clock', requestId: null }
