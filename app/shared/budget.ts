export interface Budget {
  /** Whose budget: `partner:7`, `address:10.0.0.1`. */
  key: string
  perMinute: number
  /** Requests at once; left out for budgets that only count. */
  inFlight?: number
}

/** A request that outlives this lost its process: its slot frees itself. */
export const LEASE_MS = 30_000
/** One bucket a second; one more than a minute, so that no 60 seconds ever hold more than the limit. */
export const BUCKETS = 61
