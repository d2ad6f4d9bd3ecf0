import type { Attention } from '#back_office/overview/overview_props'
import { attentionLine } from '#back_office/overview/attention_line'
import { isOpenCase, moneyOfCase, sumOfOpenExposure } from '#defects/cases/open_exposure'
import type { ExposureTenge } from '#defects/facts/exposure'
import { statement } from '#shared/statement'

const TODAY = `(now() AT TIME ZONE 'Asia/Almaty')::date`

/** All of them, however old: each stays until somebody ends it. */
const ofCases = (name: string, where: string) =>
  statement<{ count: number; names: string[]; exposure: ExposureTenge }>(
    name,
    `SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT p.name), '{}') AS names, ${sumOfOpenExposure('c')} AS exposure
       FROM settlement_cases c JOIN partners p ON p.id = c.partner_id WHERE ${isOpenCase('c')} AND ${where}`
  )
/** Cases with money at risk that nobody owns. */
const selectUnowned = ofCases(
  'back_office_unowned_cases',
  `c.owner_id IS NULL AND ${moneyOfCase('c')} > 0`
)
/** Cases with money at risk that somebody works on, and that are not overdue: they stay until they are ended. */
const selectOwned = ofCases(
  'back_office_owned_cases',
  `c.owner_id IS NOT NULL AND ${moneyOfCase('c')} > 0 AND (c.due_on >= ${TODAY}) IS NOT FALSE`
)
const selectOverdue = ofCases('back_office_overdue_cases', `c.due_on < ${TODAY}`)

const selectMemos = statement<{ count: number; names: string[] }>(
  'back_office_waiting_memos',
  `SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT p.name), '{}') AS names
     FROM (SELECT partner_id FROM settlement_memos WHERE outcome IS NULL
           UNION ALL SELECT partner_id FROM settlement_requests WHERE outcome IS NULL) m
     JOIN partners p ON p.id = m.partner_id`
)
const selectFailedRuns = statement<{ count: number; names: string[] }>(
  'back_office_failed_runs',
  `SELECT count(*)::int AS count, coalesce(array_agg(r.error ->> 'code'), '{}') AS names
     FROM settlement_runs r
    WHERE r.state = 'failed' AND r.finished_at > now() - interval '24 hours'
      AND r.error ->> 'code' IN ('CRASHED', 'DISK_FULL', 'INTERNAL_ERROR')`
)

/** Mails that failed for good, and no later one to the same person was sent. */
const selectFailedMails = statement<{ count: number; names: string[] }>(
  'back_office_failed_mails',
  `SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT coalesce(p.name, m.recipient)), '{}') AS names
     FROM mails m LEFT JOIN partners p ON p.id = m.partner_id
    WHERE m.state = 'failed' AND m.ended_at > now() - interval '24 hours'
      AND NOT EXISTS (SELECT 1 FROM mails later
                       WHERE later.state = 'sent' AND later.id > m.id AND later.recipient = m.recipient
                         AND (later.statement_id = m.statement_id OR later.schedule_id = m.schedule_id))`
)

type CasesFound = Awaited<ReturnType<typeof selectUnowned.one>>

const ofCasesLine = (kind: string, { count, names, exposure }: CasesFound): Attention => ({
  ...attentionLine(kind, names, count),
  exposure,
})

/** What needs a person in settlement now. */
export async function readSettlementAttention(): Promise<Attention[]> {
  const [unowned, owned, overdue, ...others] = await Promise.all([
    selectUnowned.one({}),
    selectOwned.one({}),
    selectOverdue.one({}),
    selectMemos.one({}),
    selectFailedRuns.one({}),
    selectFailedMails.one({}),
  ])
  const kinds = ['memos_waiting', 'runs_failed', 'mails_failed']
  return [
    ofCasesLine('cases_unowned', unowned),
    ofCasesLine('cases_overdue', overdue),
    ofCasesLine('cases_owned', owned),
    ...others.map(({ count, names }, at) => attentionLine(kinds[at], names, count)),
  ]
}
