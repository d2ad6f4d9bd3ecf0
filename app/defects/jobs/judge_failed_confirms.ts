import { findDefectsOf } from '#defects/jobs/find_defects'
import { selectUnjudgedPartners } from '#defects/cases/failed_confirms'

/** Makes a case of an order whose confirm we failed, as soon as its window is over. */
export default async function judgeFailedConfirms(stopping?: AbortSignal): Promise<void> {
  for (const { id } of await selectUnjudgedPartners({})) await findDefectsOf(id, stopping)
}
