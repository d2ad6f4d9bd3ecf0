import { printedId } from '#defects/facts/own_payment_ids'
import { partnerByCode } from '#partners/queries/find_partner'
import { findCaseLinks } from '#rule_comparisons/find_case_links'
import { compareRuleSets, type RuleSetComparison } from '#rule_comparisons/compare_rule_sets'
import type { RunBody } from '#runs/run_body'
import { toJson } from '#shared/to_json'
import { refuse } from '#shared/refusals'

/** Applies two rule sets to a period that is over and reports the differences; writes nothing. */
const compareRules: RunBody<'compare_rules'> = async (params, { signal, progress }) => {
  const { candidate, base, partnerCodes } = params
  const found = await compareRuleSets({
    candidate,
    base: base ?? undefined,
    signal,
    from: new Date(params.from),
    to: new Date(params.to),
    partnerIds: partnerCodes === null ? 'all' : await idsOf(partnerCodes),
    onProgress: ({ partnersDone, partnersTotal }) =>
      progress({ phase: 'comparing_rules', rowsDone: partnersDone, rowsTotal: partnersTotal }),
  })
  const result = toJsonValue({ ...found, cases: await linked(found.cases) })
  return { result, files: [], hasCommitted: false }
}
export default compareRules

const idsOf = (codes: string[]) =>
  Promise.all(
    codes.map(async (code) => {
      const partner = await partnerByCode.first({ code })
      return partner?.id ?? refuse('NO_SUCH', { what: `partner ${code}` })
    })
  )

/** Adds the links of each case: one that only the candidate finds has no page yet. */
async function linked(cases: RuleSetComparison['cases']) {
  const links = await findCaseLinks(cases)
  return cases.map((one, at) => ({ ...one, key: printedId(one.key), ...links[at] }))
}

const toJsonValue = (found: object) => JSON.parse(toJson(found)) as Record<string, unknown>
