/** One thing that fell: a sentence that a reader understands without the judge's source, and the evidence. */
export interface Finding {
  sentence: string
  detail?: string
}

export interface Verdict {
  /** How many things were looked at, those that fell included. */
  checks: number
  findings: Finding[]
}

export interface Judge {
  /** The name of its file. */
  name: string
  /** What it judges, in one line. */
  about: string
  /** `description`: docs/api/openapi.yaml alone. `product`: the running server. */
  needs: 'description' | 'product'
  /**
   * When it runs. `in turn`, if left out: after the others of its needs. `meanwhile`: it mostly waits, takes no seats, and
   * runs while the others do. `alone`: it measures time, and runs last with nothing else.
   */
  runs?: 'in turn' | 'meanwhile' | 'alone'
  run(product: Product): Promise<Verdict>
}

export interface Partner {
  apiKey: string
  secret: string
}

/** What `bin/judge.ts` writes down about the server that it has started. */
export interface Site {
  /** http://127.0.0.1:port */
  appUrl: string
  host: string
  port: number
  /** The partner API: appUrl with its prefix. */
  apiUrl: string
  /** The server believes X-Forwarded-For of this machine: a client may choose its address. */
  databaseUrl: string
  redisUrl: string
  /** Of the sandbox, by code: demo, bulk, rival, brisk, limited, suspended. */
  partners: Record<string, Partner>
  /** Of the sandbox, by purpose: open, arena, paused, scheduled, closed, cancelled, ungranted, revoked. */
  events: Record<string, string>
  /** Sign-in of the back office, by role. */
  staff: Record<string, { email: string; password: string }>
  gateKey: string
  /** The program of a Chromium; judges bring none. */
  chromiumFile: string
  /** Absolute paths. */
  descriptionFile: string
  scratchDirectory: string
}

export interface Product extends Site {
  /** Headers of a signed request. `uri` is the path with the query string, as sent, with the prefix. */
  sign(partner: Partner, request: ToSign): Record<string, string>
}

export interface ToSign {
  method: string
  uri: string
  body?: string | Buffer
  /** Unix seconds; now, if left out. */
  timestamp?: string
}
