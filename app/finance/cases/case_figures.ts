import type {
  CaseFilters,
  MonthFigures,
  PartnerFigures,
  QueueFigures,
} from '#finance/cases/cases_props'
import { casesWithPeople, filterCases } from '#finance/cases/list_cases'
import { openExposure, sumOfOpenExposure } from '#defects/cases/open_exposure'
import { EXPOSED_PARTIES, type ExposureTenge } from '#defects/facts/exposure'
import { YEAR_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'
import db from '@adonisjs/lucid/services/db'

const MOST_PARTNERS = 5

/** Cases that the filters of the list leave, in all and by partner, the partners with most of buyers' money first. */
export async function readFigures(filters: CaseFilters, me: string): Promise<QueueFigures> {
  const query = casesWithPeople()
    .select(
      'p.code',
      'p.name',
      db.raw(`count(*)::int AS cases, ${sumOfOpenExposure('c')} AS exposure`)
    )
    .groupBy('p.id')
    .orderByRaw(`sum(${openExposure('c', 'buyer')}) DESC, cases DESC, p.code`)
  await filterCases(query, filters, me)
  const partners = (await query) as PartnerFigures[]
  return {
    cases: sumNumbers(partners, ({ cases }) => cases),
    exposure: sumExposures(partners),
    partners: partners.length,
    foremost: partners.slice(0, MOST_PARTNERS),
  }
}

const sumExposures = (partners: PartnerFigures[]) =>
  Object.fromEntries(
    EXPOSED_PARTIES.map((party) => [party, sumNumbers(partners, ({ exposure }) => exposure[party])])
  ) as ExposureTenge

const selectMonths = statement<MonthFigures, { occurredAt: Date }>(
  'back_office_case_months',
  `SELECT to_char(c.occurred_at AT TIME ZONE interval '5 hours', 'YYYY-MM') AS month, p.name AS partner,
          count(*)::int AS defects
     FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.gone_at IS NULL
     JOIN partners p ON p.id = c.partner_id
    WHERE c.gone_at IS NULL AND c.occurred_at >= :occurredAt
    GROUP BY 1, 2 ORDER BY 1, 2`
)

/** Defects of the last twelve months, by month and partner. */
export const readMonths = () => selectMonths({ occurredAt: new Date(Date.now() - YEAR_MS) })
