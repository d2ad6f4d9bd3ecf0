export interface ScheduleLine {
  name: string
  job: string
  everyMs: number
  ranAt: string | null
  tookMs: number | null
  succeededAt: string | null
  failedAt: string | null
  failure: string | null
  failuresInRow: number
}

export interface WorkerLine {
  id: string
  host: string
  pid: number
  queues: string[]
  /** It is the only worker that runs the schedule. */
  isAlone: boolean
  /** It has not reported for 45 seconds. */
  isSilent: boolean
  startedAt: string
  beatAt: string
}

export interface QueueLine {
  name: string
  counts: Record<'waiting' | 'active' | 'delayed' | 'failed', number>
  /** The newest failed jobs; `failedAt` in milliseconds since 1970. */
  failed: { id: string; name: string; failedAt: number | null; reason: string; data: string }[]
}

export interface JobsPage {
  schedule: ScheduleLine[]
  workers: WorkerLine[]
  /** Null while Redis does not answer. */
  queues: QueueLine[] | null
}
