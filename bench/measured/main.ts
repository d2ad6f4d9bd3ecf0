import { writeBareWorkbook } from './bare_workbook.ts'
import type { Done, ExportJob, MeasuredJob, RulesJob } from './jobs.ts'
import { matchRegisterFile } from './match_register_file.ts'
import { ACTOR, bootProduct, built } from './product.ts'
import { watch } from './watch.ts'

/** Does one job in the production build, tells what it took, and ends. */
process.once('message', (job: MeasuredJob) => {
  perform(job).then(
    (measured) => process.send!({ measured }, () => process.exit()),
    (error: Error) => process.send!({ error: error.stack ?? error.message }, () => process.exit(1))
  )
})
process.on('disconnect', () => process.exit())

async function perform(job: MeasuredJob) {
  await bootProduct()
  return watch(() => doOne(job))
}

function doOne(job: MeasuredJob): Promise<Done> {
  if (job.kind === 'rules') return judge(job)
  if (job.kind === 'matching') return matchRegisterFile(job)
  return job.kind === 'export' ? writeWorkbook(job) : writeBareWorkbook(job)
}

async function writeWorkbook({ partnerCode, path, from, to }: ExportJob): Promise<Done> {
  const { default: ExportSettlement } = await built('app/settlement/actions/export_settlement')
  const scope = { from: new Date(from), to: new Date(to) }
  const input = { partnerCode, path, scope, language: 'ru', actor: ACTOR }
  const { rows } = await new ExportSettlement().handle(input)
  return rows
}

async function judge({ partnerId, from, to }: RulesJob): Promise<Done> {
  const { default: RefreshDefects } = await built('app/settlement/actions/refresh_defects')
  return new RefreshDefects().handle({ partnerId, from: new Date(from), to: new Date(to) })
}
