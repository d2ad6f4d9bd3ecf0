import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

/** The metrics of this process, in Prometheus's format. */
export const registry = new Registry()

collectDefaultMetrics({ register: registry })

const requests = new Counter({
  name: 'http_requests_total',
  help: 'Requests answered, by operation, partner, status and error code',
  labelNames: ['operation', 'partner', 'status', 'code'],
  registers: [registry],
})
const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer, by operation',
  labelNames: ['operation'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

export interface Answered {
  /** The route's name; `none` when no route matched. */
  operation: string
  /** The partner's code; empty for other clients. */
  partner: string
  status: number
  /** The refusal's code; empty when there is none. */
  code: string
  seconds: number
}

export function countRequest({ operation, partner, status, code, seconds }: Answered) {
  requests.inc({ operation, partner, status, code })
  durations.observe({ operation }, seconds)
}
