import type { Attention, BuyersAtRisk, PartnerCases } from '#back_office/overview/overview_props'
import { attentionLine } from '#back_office/overview/attention_line'
import { isOpenCase, moneyOfCase, sumOfOpenExposure } from '#defects/cases/open_exposure'
import { EXPOSED_PARTIES, type ExposureTenge } from '#defects/facts/exposure'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'

const TODAY = `(now() AT TIME ZONE 'Asia/Almaty')::date`

/** All of them, however old: each stays until somebody ends it. The partner with the most money at risk comes first. */
const ofCases = (name: string, where: string) =>
  statement<PartnerCases>(
    name,
    `SELECT p.code, p.name, count(*)::int AS count, ${sumOfOpenExposure('c')} AS exposure, min(c.occurred_at) AS since
       FROM settlement_cases c JOIN partners p ON p.id = c.partner_id WHERE ${isOpenCase('c')} AND ${where}
      GROUP BY p.id ORDER BY sum(${moneyOfCase('c')}) DESC, p.name`
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

/** What buyers have paid without a ticket, in all open cases. */
export const selectAtRisk = statement<Omit<BuyersAtRisk, 'orders'>>(
  'back_office_buyers_at_risk',
  `SELECT coalesce(sum(c.buyer_tenge), 0)::float8 AS tenge, count(*)::int AS cases
     FROM settlement_cases c WHERE ${isOpenCase('c')} AND c.buyer_tenge > 0`
)

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

const sumOfExposures = (exposures: ExposureTenge[]) =>
  Object.fromEntries(
    EXPOSED_PARTIES.map((party) => [party, sumNumbers(exposures, (one) => one[party])])
  ) as ExposureTenge

const casesLine = (kind: string, partners: PartnerCases[]): Attention => ({
  ...attentionLine(
    kind,
    partners.map(({ name }) => name),
    sumNumbers(partners, ({ count }) => count)
  ),
  exposure: sumOfExposures(partners.map(({ exposure }) => exposure)),
  partners,
})

/** What needs a person in settlement now. */
export async function readSettlementAttention(): Promise<Attention[]> {
  const [unowned, owned, overdue, ...others] = await Promise.all([
    selectUnowned({}),
    selectOwned({}),
    selectOverdue({}),
    selectMemos.one({}),
    selectFailedRuns.one({}),
    selectFailedMails.one({}),
  ])
  const kinds = ['memos_waiting', 'runs_failed', 'mails_failed']
  return [
    casesLine('cases_unowned', unowned),
    casesLine('cases_overdue', overdue),
    casesLine('cases_owned', owned),
    ...others.map(({ count, names }, at) => attentionLine(kinds[at], names, count)),
  ]
}
