import type { MonthFigures, PartnerFigures, QueueFigures } from '#finance/cases/cases_props'
import { isOpenCase, sumOfOpenExposure } from '#defects/cases/open_exposure'
import { EXPOSED_PARTIES, type ExposureTenge } from '#defects/facts/exposure'
import { YEAR_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'

const selectFigures = statement<PartnerFigures>(
  'back_office_case_figures',
  `SELECT p.code, p.name, found.cases, found.exposure
     FROM (SELECT c.partner_id, count(*)::int AS cases, sum(c.buyer_tenge) AS buyers, ${sumOfOpenExposure('c')} AS exposure
             FROM settlement_cases c WHERE ${isOpenCase('c')} GROUP BY c.partner_id) found
     JOIN partners p ON p.id = found.partner_id
    ORDER BY found.buyers DESC, found.cases DESC, p.code`
)
const MOST_PARTNERS = 5

/** Open cases in all and by partner, the partners with most of buyers' money first. */
export async function readFigures(): Promise<QueueFigures> {
  const partners = await selectFigures({})
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
