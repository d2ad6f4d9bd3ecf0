interface PeriodOfJob {
  from: string
  to: string
}

/** A workbook, written by the product or by bare exceljs. */
export interface ExportJob extends PeriodOfJob {
  kind: 'export' | 'bare_export'
  partnerCode: string
  path: string
}

export interface RulesJob extends PeriodOfJob {
  kind: 'rules'
  partnerId: number
}

export interface MatchingJob extends PeriodOfJob {
  kind: 'matching'
  partnerCode: string
  path: string
}

/** Confirms registers of one partner, as they come: each is matched, and what it suggests is accepted. */
export interface ConfirmingJob {
  kind: 'confirming'
  registers: Omit<MatchingJob, 'kind'>[]
}

/** What confirmed registers of a partner show of a period, where it differs from our orders. */
export interface EvidenceJob extends PeriodOfJob {
  kind: 'evidence'
  partnerId: number
}

/** Work that a fresh process of the production build does once, while it is measured. */
export type MeasuredJob = ExportJob | RulesJob | MatchingJob | ConfirmingJob | EvidenceJob

/** Reads how the build numbers the parameters of a sale's statements. */
export interface ParameterNamesJob {
  kind: 'parameter_names'
}

export type Reply =
  { measurement: Measurement } | { parameterNames: ParameterNames } | { error: string }

/** Parameter names of SQL statements, in the order of their positions, by statement name. */
export type ParameterNames = Record<string, readonly string[]>

/** How much a job did: rows by sheet, orders, cases. */
export type JobCounts = Record<string, number>

export interface Measurement {
  counts: JobCounts
  seconds: number
  /** Of the process, from its start. */
  peakMegabytes: number
  longestBlockMs: number
}
