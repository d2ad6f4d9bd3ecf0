import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Plans'?: Plan[]
}
interface Explained {
  'QUERY PLAN': { Plan: Plan }[]
}

function visitsOf(plan: Plan): number {
  const removed = ['Filter', 'Join Filter', 'Index Recheck'] as const
  const each = removed.reduce(
    (sum, by) => sum + (plan[`Rows Removed by ${by}`] ?? 0),
    plan['Actual Rows']
  )
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + visitsOf(child), 0)
  return each * plan['Actual Loops'] + below
}

/** How many rows a query looks at, wherever they come from: unlike time it is the same each time. */
export async function countVisits(sql: string, params: object, trx: TransactionClientContract) {
  const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`
  const [{ 'QUERY PLAN': plans }] = await Array.fromAsync(
    streamRows<Explained>(explain, params, trx)
  )
  return visitsOf(plans[0].Plan)
}
