interface OfPeriod {
  from: string
  to: string
}

/** A workbook, by the product or by bare exceljs. */
export interface ExportJob extends OfPeriod {
  kind: 'export' | 'bare_export'
  partnerCode: string
  path: string
}

export interface RulesJob extends OfPeriod {
  kind: 'rules'
  partnerId: number
}

export interface MatchingJob extends OfPeriod {
  kind: 'matching'
  partnerCode: string
  path: string
}

/** What a process of its own does once, and is measured while it does it. */
export type MeasuredJob = ExportJob | RulesJob | MatchingJob

/** What a job says that it did: rows by sheet, orders, cases. */
export type Done = Record<string, number>

export interface Measured {
  done: Done
  seconds: number
  /** Of the process, from its start. */
  peakMegabytes: number
  longestBlockMs: number
}
