import type { Finding } from '#defects/rules/finding'
import type { Party } from '#defects/facts/register_facts'
import type { JudgedCase } from '#defects/rule_sets/judge_case'

/** What two sets of rules make of the same stories, by a defect's code. */
export interface CodeDifference {
  code: string
  before: number
  after: number
  added: number
  removed: number
  /** Of those that both find: of another weight, assessment or sum. */
  changed: number
  beforeTenge: bigint
  afterTenge: bigint
}

/** What is at risk in a case, by one of the sets. */
export interface Weighed {
  codes: string[]
  severity: string | null
  exposureTenge: bigint
  exposureParty: Party
}

export interface CaseDifference {
  key: string
  before: Weighed
  after: Weighed
}

/** Cases and their money in all: each case counts its money once. */
export interface CasesTotal {
  cases: number
  buyerTenge: bigint
  platformTenge: bigint
}

const noTotal = (): CasesTotal => ({ cases: 0, buyerTenge: 0n, platformTenge: 0n })
const noDifference = (code: string): CodeDifference => ({
  code,
  before: 0,
  after: 0,
  added: 0,
  removed: 0,
  changed: 0,
  beforeTenge: 0n,
  afterTenge: 0n,
})

const nameOf = ({ code, orderId }: Finding) => `${code} ${orderId}`
/** All that staff would see differently. */
const saidBy = (found: Finding) =>
  [
    found.subclass,
    found.severity,
    found.isStrictBreach,
    found.isRecovered,
    found.fault,
    found.exposureTenge,
    found.exposureParty,
    found.hint,
  ].join(' ')

/** As they are kept: what a rule finds several times on one order is one defect. */
const byName = (judged: JudgedCase | null) =>
  new Map((judged?.findings ?? []).map((found) => [nameOf(found), found]))

/** Adds up what differs, story by story, and keeps none of them. */
export class RuleSetDifference {
  readonly before = noTotal()
  readonly after = noTotal()
  readonly #codes = new Map<string, CodeDifference>()

  get codes() {
    return [...this.#codes.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))
  }

  /** Tells the case if it differs. */
  add(key: string, before: JudgedCase | null, after: JudgedCase | null): CaseDifference | null {
    count(this.before, before)
    count(this.after, after)
    const [was, is] = [byName(before), byName(after)]
    let differs = before?.exposureTenge !== after?.exposureTenge
    for (const name of new Set([...was.keys(), ...is.keys()]))
      if (this.#addDefect(was.get(name), is.get(name))) differs = true
    return differs ? { key, before: weigh(before), after: weigh(after) } : null
  }

  #addDefect(was: Finding | undefined, is: Finding | undefined): boolean {
    const { code } = (was ?? is)!
    const total = this.#codes.get(code) ?? noDifference(code)
    this.#codes.set(code, total)
    if (was) total.before++
    if (is) total.after++
    total.beforeTenge += was?.exposureTenge ?? 0n
    total.afterTenge += is?.exposureTenge ?? 0n
    const isChanged = was !== undefined && is !== undefined && saidBy(was) !== saidBy(is)
    if (!was) total.added++
    else if (!is) total.removed++
    else if (isChanged) total.changed++
    return !was || !is || isChanged
  }
}

function count(total: CasesTotal, judged: JudgedCase | null) {
  if (!judged) return
  total.cases++
  if (judged.exposureParty === 'BUYER') total.buyerTenge += judged.exposureTenge
  if (judged.exposureParty === 'PLATFORM') total.platformTenge += judged.exposureTenge
}

const weigh = (judged: JudgedCase | null): Weighed => ({
  codes: [...new Set((judged?.findings ?? []).map(({ code }) => code))].toSorted(),
  severity: judged?.severity ?? null,
  exposureTenge: judged?.exposureTenge ?? 0n,
  exposureParty: judged?.exposureParty ?? 'NONE',
})
