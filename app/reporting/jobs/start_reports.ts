import { startDueReports } from '#reporting/schedules/start_due_reports'

/** Asks for the reports whose hour has come. */
export default async function startReports(): Promise<void> {
  await startDueReports(new Date())
}
