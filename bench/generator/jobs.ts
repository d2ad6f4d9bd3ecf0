export interface Credentials {
  apiKey: string
  secret: string
}

export interface Partner extends Credentials {
  id: number
}

/** Seats that one booking asks for. */
export interface Lot {
  eventId: string
  seats: string[]
}

/** `booking` holds two seats; `flow` goes on to the order and its confirm. */
export type Sale = 'booking' | 'flow'

interface Timed {
  connections: number
  /** How long, in ms; a job that runs out of seats ends earlier. */
  durationMs: number
}

export interface ReadJob extends Timed {
  kind: 'read'
  port: number
  path: string
  /** Absent for routes without a signature. */
  partner?: Credentials
}

export interface SellJob extends Timed {
  kind: 'sell'
  port: number
  partner: Credentials
  sale: Sale
  lots: Lot[]
}

export interface Statement {
  name: string
  text: string
}

/** The same sale as the statements that the application sends for it, straight to PostgreSQL. */
export interface StatementsJob extends Timed {
  kind: 'statements'
  databaseUrl: string
  partner: Partner
  lots: Lot[]
  /** As PostgreSQL received them, in order. */
  recorded: Statement[]
  /** By statement name, in the order of the statement's placeholders. */
  parameterNames: Record<string, readonly string[]>
}

/** Buyers of several partners who compete for the same sectors of one event. */
export interface RushJob extends Timed {
  kind: 'rush'
  port: number
  partners: Credentials[]
  eventId: string
  /** Sellable seats, sector after sector. */
  sectors: string[][]
}

/** Holds, or reads of one path, that arrive at a steady rate regardless of response times. */
export interface ArrivalsJob {
  kind: 'arrivals'
  port: number
  partners: Credentials[]
  perSecond: number
  durationMs: number
  /** Read instead of holding seats. */
  path?: string
  eventId: string
  seats: string[]
}

/** Partners' receivers that answer at once, while a worker sends webhooks for newly committed journal entries. */
export interface ReceiveJob {
  kind: 'receive'
  port: number
  count: number
  databaseUrl: string
  news: { text: string; values: unknown[] }
}

/** Empty jobs through BullMQ alone. */
export interface EmptyJobsJob {
  kind: 'empty_jobs'
  redisUrl: string
  count: number
  concurrency: number
}

export type Job =
  ReceiveJob | EmptyJobsJob | ReadJob | SellJob | StatementsJob | RushJob | ArrivalsJob

export interface Outcome {
  /** Successful units. */
  done: number
  seconds: number
  perSecond: number
  /** The number of responses by request and status. */
  answers: Record<string, number>
  /** Milliseconds of one unit. */
  p50: number
  p95: number
  p99: number
  /** Seats that responses gave to more than one buyer. */
  soldTwice: string[]
}
