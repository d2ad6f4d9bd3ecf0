import { writeBareWorkbook } from './bare_workbook.ts'
import { ACTOR, bootConsoleApp } from './console_app.ts'
import type { BuildJob, ExportJob, JobCounts, RulesJob } from './jobs.ts'
import { matchRegisterFile } from './match_register_file.ts'
import { measureWork } from './measure_work.ts'

/**
 * Runs one job inside the production build and sends back what it cost. The compiled copy of this file is what runs, so
 * the compiler checks every module of the product that the jobs import; they do so lazily, once the application has booted.
 */
process.once('message', (job: BuildJob) => {
  perform(job).then(
    (measurement) => process.send!({ measurement }, () => process.exit()),
    (error: Error) => process.send!({ error: error.stack ?? error.message }, () => process.exit(1))
  )
})
process.on('disconnect', () => process.exit())

async function perform(job: BuildJob) {
  await bootConsoleApp()
  return measureWork(() => run(job))
}

function run(job: BuildJob): Promise<JobCounts> {
  switch (job.kind) {
    case 'export':
      return writeWorkbook(job)
    case 'bare_export':
      return writeBareWorkbook(job)
    case 'rules':
      return applyRules(job)
    case 'matching':
      return matchRegisterFile(job)
  }
}

async function writeWorkbook({ partnerCode, path, from, to }: ExportJob): Promise<JobCounts> {
  const { default: ExportSettlement } = await import('#workbooks/export_settlement')
  const scope = { from: new Date(from), to: new Date(to) }
  const { rows } = await new ExportSettlement().handle({
    partnerCode,
    path,
    scope,
    language: 'ru',
    actor: ACTOR,
  })
  return rows
}

async function applyRules({ partnerId, from, to }: RulesJob): Promise<JobCounts> {
  const { default: RefreshDefects } = await import('#defects/cases/refresh_defects')
  return new RefreshDefects().handle({ partnerId, from: new Date(from), to: new Date(to) })
}
