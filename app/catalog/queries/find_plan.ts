import { statement } from '#shared/statement'

const selectPlan = statement<{ plan_svg: string }, { digest: string }>(
  'hall_plan',
  'SELECT plan_svg FROM halls WHERE plan_digest = :digest'
)

const DIGEST = /^[0-9a-f]{64}$/

/** The SVG under its SHA-256. */
export async function findPlan(digest: string): Promise<string | undefined> {
  if (!DIGEST.test(digest)) return undefined
  const hall = await selectPlan.first({ digest })
  return hall?.plan_svg
}
