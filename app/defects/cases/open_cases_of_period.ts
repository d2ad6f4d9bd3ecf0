import { isOpenCase, sumOfOpenExposure } from '#defects/cases/open_exposure'
import type { ExposureTenge } from '#defects/facts/exposure'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export type OpenCases = {
  cases: number
  exposure: ExposureTenge
}

const select = statement<OpenCases, { partnerId: number; from: Date; to: Date }>(
  'open_cases_of_period',
  `SELECT count(*)::int AS cases, ${sumOfOpenExposure('c')} AS exposure
     FROM settlement_cases c
    WHERE c.partner_id = :partnerId AND ${isOpenCase('c')} AND c.occurred_at >= :from AND c.occurred_at < :to`
)

/** Open cases of a partner that occurred in [from, to), and the money at risk in them: those of the period's workbook. */
export const readOpenCasesOfPeriod = (
  period: { partnerId: number; from: Date; to: Date },
  client?: QueryClientContract
) => select.one(period, client)
