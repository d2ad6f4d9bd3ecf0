import { judgeCase } from '#defects/rule_sets/judge_case'
import {
  RuleSetDifference,
  type CaseDifference,
  type CasesTotal,
  type CodeDifference,
} from '#rule_comparisons/rule_set_difference'
import { ruleSetOf, type RuleSet } from '#defects/rule_sets/rule_sets'
import type { Tally } from '#defects/facts/partner_tally'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { keepEvidence, readingPeriod, readStories, type Story } from '#defects/facts/read_stories'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'

export interface CompareRuleSetsInput {
  partnerIds: number[] | 'all'
  /** Orders made in [from, to), which must be over. */
  from: Date
  to: Date
  /** The version to compare. */
  candidate: number
  /** The version to compare with; the one in force by default. */
  base?: number
  signal?: AbortSignal
  onProgress?: (progress: ComparisonProgress) => void
}

export interface ComparisonProgress {
  partnersDone: number
  partnersTotal: number
  /** Orders of all partners so far. */
  orders: number
}

interface OfPartner {
  partnerId: number
  /** The partner's code. */
  partner: string
  partnerName: string
}

export interface PartnerDifference extends OfPartner {
  orders: number
  before: CasesTotal
  after: CasesTotal
  codes: CodeDifference[]
}

export interface RuleSetComparison {
  base: number
  candidate: number
  from: Date
  to: Date
  /** The cut-off of both. */
  asOf: Date
  orders: number
  before: CasesTotal
  after: CasesTotal
  codes: CodeDifference[]
  partners: PartnerDifference[]
  /** How many cases differ; `cases` has the first 200. */
  differing: number
  cases: (CaseDifference & OfPartner)[]
}

const MAX_CASES = 200
const ORDERS_PER_PROGRESS = 2_000

const selectPartners = statement<OfPartner, { partnerIds: number[] | null }>(
  'settlement_rule_set_partners',
  `SELECT id AS "partnerId", code AS partner, name AS "partnerName" FROM partners
    WHERE :partnerIds::integer[] IS NULL OR id = ANY(:partnerIds::integer[]) ORDER BY code`
)

/**
 * Applies two rule sets to a period and returns the differences; writes nothing. Reads each partner's stories from one snapshot
 * and keeps none of them. Refuses NO_SUCH for an unknown version, and by field a period that is not over.
 */
export async function compareRuleSets(input: CompareRuleSetsInput): Promise<RuleSetComparison> {
  const { from, to, partnerIds } = input
  const asOf = new Date()
  if (from >= to) refuseField('to', 'after', 'must be later than the beginning')
  if (to > asOf) refuseField('to', 'over', 'must be over: what still happens cannot be compared')
  const base = input.base === undefined ? await activeRuleSet() : ruleSetOf(input.base)
  const partners = await selectPartners({ partnerIds: partnerIds === 'all' ? null : partnerIds })
  return new Comparison(input, base, ruleSetOf(input.candidate), partners, asOf).run()
}

class Comparison {
  readonly #all = new RuleSetDifference()
  readonly #partners: PartnerDifference[] = []
  readonly #cases: RuleSetComparison['cases'] = []
  #differing = 0
  #orders = 0
  /** How many orders the last progress had. */
  #reported = 0
  #done = 0

  constructor(
    private readonly input: CompareRuleSetsInput,
    private readonly base: RuleSet,
    private readonly candidate: RuleSet,
    private readonly partners: OfPartner[],
    private readonly asOf: Date
  ) {}

  async run(): Promise<RuleSetComparison> {
    for (const partner of this.partners) {
      await this.#compare(partner)
      this.#done++
      this.#progress()
    }
    const { before, after, codes } = this.#all
    const { from, to } = this.input
    return {
      base: this.base.version,
      candidate: this.candidate.version,
      from,
      to,
      asOf: this.asOf,
      orders: this.#orders,
      before,
      after,
      codes,
      partners: this.#partners,
      differing: this.#differing,
      cases: this.#cases,
    }
  }

  async #compare(partner: OfPartner) {
    const { from, to, signal } = this.input
    const own = new RuleSetDifference()
    let orders = 0
    const count = (more: number) => {
      orders += more
      this.#orders += more
      if (this.#orders >= this.#reported + ORDERS_PER_PROGRESS) this.#progress()
    }
    const listener = {
      order: () => count(1),
      ordinaryOrders: (_: string, { created }: Tally) => count(created),
      story: ({ key, facts }: Story) => {
        const [before, after] = [judgeCase(facts, this.base), judgeCase(facts, this.candidate)]
        if (before === null && after === null) return
        own.add(key, before, after)
        const found = this.#all.add(key, before, after)
        if (found === null) return
        this.#differing++
        if (this.#cases.length < MAX_CASES) this.#cases.push({ ...found, ...partner })
      },
    }
    const { partnerId } = partner
    const scope = { partnerId, from, to, asOf: this.asOf, withOlder: false }
    await keepEvidence(partnerId, signal)
    await readingPeriod((trx) => readStories(scope, listener, trx), signal)
    const { before, after, codes } = own
    // Money for unknown orders makes cases without orders of ours.
    if (orders > 0 || before.cases > 0 || after.cases > 0) {
      this.#partners.push({ ...partner, orders, before, after, codes })
    }
  }

  #progress() {
    this.#reported = this.#orders
    this.input.onProgress?.({
      partnersDone: this.#done,
      partnersTotal: this.partners.length,
      orders: this.#orders,
    })
  }
}
