/** A failed check: a sentence that a reader understands without the judge's source, and the evidence. */
export interface Failure {
  sentence: string
  detail?: string
}

export interface Verdict {
  /** The number of all checks, including the failed ones. */
  checks: number
  failures: Failure[]
}

export interface Judge {
  /** The name of its file. */
  name: string
  /** One line about the subject of the judge. */
  about: string
  /** `description`: docs/api/openapi.yaml alone. `product`: the running server. */
  needs: 'description' | 'product'
  /**
   * `in turn`, the default: one after the other among the judges of the same needs. `meanwhile`: at the same time as the
   * others, for a judge that mostly waits and takes no seats. `alone`: last and alone, for a judge that measures time.
   */
  runs?: 'in turn' | 'meanwhile' | 'alone'
  run(product: Product): Promise<Verdict>
}

export interface Partner {
  apiKey: string
  secret: string
}

/** The server that `bin/judge.ts` has started. */
export interface Site {
  /** http://127.0.0.1:port. The server trusts X-Forwarded-For from this machine, so a client can choose its address. */
  appUrl: string
  host: string
  port: number
  /** The partner API: appUrl with its prefix. */
  apiUrl: string
  ownerDatabaseUrl: string
  redisUrl: string
  /** Of the sandbox, by code: demo, bulk, rival, brisk, limited, suspended. */
  partners: Record<string, Partner>
  /** Of the sandbox, by purpose: open, arena, paused, scheduled, closed, cancelled, ungranted, revoked. */
  events: Record<string, string>
  /** Sign-in of the back office, by role. */
  staff: Record<string, { email: string; password: string }>
  gateKey: string
  /** The executable of a Chromium, which the judges' packages do not include. */
  chromiumFile: string
  /** Absolute paths. */
  descriptionFile: string
  scratchDirectory: string
}

export interface Product extends Site {
  /** Headers of a signed request. `uri` is the full path with the query string, as sent. */
  sign(partner: Partner, request: ToSign): Record<string, string>
}

export interface ToSign {
  method: string
  uri: string
  body?: string | Buffer
  /** Unix seconds; now by default. */
  timestamp?: string
}
