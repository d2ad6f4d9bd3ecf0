import { writeBareWorkbook } from './bare_workbook.ts'
import { ACTOR, bootConsoleApp } from './console_app.ts'
import type {
  EvidenceJob,
  ExportJob,
  JobCounts,
  MeasuredJob,
  ParameterNames,
  ParameterNamesJob,
  Reply,
  RulesJob,
} from './jobs.ts'
import { confirmRegisterFiles, matchRegisterFile } from './match_register_file.ts'
import { measureWork } from './measure_work.ts'

/**
 * Runs one job inside the production build and sends back what it cost. The compiled copy of this file is what runs, so
 * the compiler checks every module of the product that the jobs import; they do so lazily, once the application has booted.
 */
process.once('message', (job: MeasuredJob | ParameterNamesJob) => {
  perform(job).then(
    (reply) => process.send!(reply, () => process.exit()),
    (error: Error) => process.send!({ error: error.stack ?? error.message }, () => process.exit(1))
  )
})
process.on('disconnect', () => process.exit())

async function perform(job: MeasuredJob | ParameterNamesJob): Promise<Reply> {
  await bootConsoleApp()
  return job.kind === 'parameter_names'
    ? { parameterNames: await readParameterNames() }
    : { measurement: await measureWork(() => run(job)) }
}

/** Of evidence; the median counts. */
const READS = 9

function run(job: MeasuredJob): Promise<JobCounts> {
  switch (job.kind) {
    case 'export':
      return writeWorkbook(job)
    case 'bare_export':
      return writeBareWorkbook(job)
    case 'rules':
      return applyRules(job)
    case 'matching':
      return matchRegisterFile(job)
    case 'confirming':
      return confirmRegisterFiles(job)
    case 'evidence':
      return readEvidence(job)
  }
}

async function writeWorkbook({ partnerCode, path, from, to }: ExportJob): Promise<JobCounts> {
  const { default: ExportSettlement } = await import('#workbooks/writing/export_settlement')
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
  const { default: CheckPeriod } = await import('#defects/cases/check_period')
  return new CheckPeriod().handle({ partnerId, from: new Date(from), to: new Date(to) })
}

/** Reads the evidence several times: a worker that has just started is no worker's usual state. */
async function readEvidence({ partnerId, from, to }: EvidenceJob): Promise<JobCounts> {
  const { readingPeriod } = await import('#defects/facts/read_stories')
  const { findOrderGroups } = await import('#defects/facts/find_order_groups')
  const { ticketFactsOfPeriod } = await import('#defects/facts/read_ticket_facts')
  const { EvidenceSource } = await import('#defects/facts/evidence')
  const { default: app } = await import('@adonisjs/core/services/app')
  const source = await app.container.make(EvidenceSource)
  await source.keep(partnerId)
  const period = { partnerId, from: new Date(from), to: new Date(to) }
  const orderIds = await readingPeriod(async (trx) => {
    const { groups } = await findOrderGroups(period, trx)
    const tickets = await ticketFactsOfPeriod(period, trx)
    return [...groups.ids, ...tickets.keys()]
  })
  const times: number[] = []
  let differing = 0
  for (let turn = 0; turn < READS; turn++) {
    const startedAt = performance.now()
    const evidence = await readingPeriod((trx) => source.read({ ...period, orderIds }, trx))
    times.push(performance.now() - startedAt)
    differing = [...evidence.orderIds()].length
  }
  return { milliseconds: times.toSorted((one, other) => one - other)[READS >> 1], differing }
}

async function readParameterNames(): Promise<ParameterNames> {
  const { selectKey } = await import('#partners/queries/find_partner_key')
  const { insertBooking } = await import('#sales/hold_seats/hold_seats_sql')
  const { insertOrder } = await import('#sales/place_order/place_order_sql')
  const { receiveConfirm } = await import('#sales/confirm_order/receive_confirm_sql')
  const { payOrder } = await import('#sales/confirm_order/pay_order_sql')
  return {
    partner_key: selectKey.parameterNames,
    book_seats: insertBooking.parameterNames,
    open_order: insertOrder.parameterNames,
    receive_confirm: receiveConfirm.parameterNames,
    pay_order: payOrder.parameterNames,
  }
}
