import type { Finding } from '#defects/rules/finding'
import { isSameExposure, NO_EXPOSURE, type Exposure } from '#defects/facts/exposure'
import type { JudgedCase } from '#defects/rule_sets/judge_case'

/** How the findings of one code differ between two rule sets. */
export interface CodeDifference {
  code: string
  before: number
  after: number
  added: number
  removed: number
  /** Findings of both with another severity, assessment or amount. */
  changed: number
  beforeTenge: bigint
  afterTenge: bigint
}

/** A case as one of the rule sets judges it. */
export interface CaseSummary {
  codes: string[]
  severity: string | null
  exposure: Exposure
}

export interface CaseDifference {
  key: string
  before: CaseSummary
  after: CaseSummary
}

/** Number and exposure of cases. */
export interface CasesTotal {
  cases: number
  buyerTenge: bigint
  platformTenge: bigint
  partnerTenge: bigint
}

const noTotal = (): CasesTotal => ({
  cases: 0,
  buyerTenge: 0n,
  platformTenge: 0n,
  partnerTenge: 0n,
})
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
/** Everything that staff would see differently, as one text. */
const visibleValues = (found: Finding) =>
  [
    found.subclass,
    found.severity,
    found.isStrictBreach,
    found.isRecovered,
    found.fault,
    found.exposureTenge,
    found.exposureParty,
    found.hint,
    found.probableTenge,
  ].join(' ')

/** Findings by code and order, as they are stored: a rule's repeated findings on one order are one defect. */
const byName = (judged: JudgedCase | null) =>
  new Map((judged?.findings ?? []).map((found) => [nameOf(found), found]))

/** Sums the differences case by case; keeps no case. */
export class RuleSetDifference {
  readonly before = noTotal()
  readonly after = noTotal()
  readonly #codes = new Map<string, CodeDifference>()

  get codes() {
    return [...this.#codes.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))
  }

  /** Returns the case if it differs. */
  add(key: string, before: JudgedCase | null, after: JudgedCase | null): CaseDifference | null {
    count(this.before, before)
    count(this.after, after)
    const [was, is] = [byName(before), byName(after)]
    let differs = !isSameExposure(exposureOf(before), exposureOf(after))
    for (const name of new Set([...was.keys(), ...is.keys()]))
      if (this.#addDefect(was.get(name), is.get(name))) differs = true
    return differs ? { key, before: summarise(before), after: summarise(after) } : null
  }

  #addDefect(was: Finding | undefined, is: Finding | undefined): boolean {
    const { code } = (was ?? is)!
    const total = this.#codes.get(code) ?? noDifference(code)
    this.#codes.set(code, total)
    if (was) total.before++
    if (is) total.after++
    total.beforeTenge += was?.exposureTenge ?? 0n
    total.afterTenge += is?.exposureTenge ?? 0n
    const isChanged =
      was !== undefined && is !== undefined && visibleValues(was) !== visibleValues(is)
    if (!was) total.added++
    else if (!is) total.removed++
    else if (isChanged) total.changed++
    return !was || !is || isChanged
  }
}

function count(total: CasesTotal, judged: JudgedCase | null) {
  if (!judged) return
  total.cases++
  const { buyer, platform, partner } = judged.exposure
  total.buyerTenge += buyer
  total.platformTenge += platform
  total.partnerTenge += partner
}

const exposureOf = (judged: JudgedCase | null): Exposure => judged?.exposure ?? NO_EXPOSURE

const summarise = (judged: JudgedCase | null): CaseSummary => ({
  codes: [...new Set((judged?.findings ?? []).map(({ code }) => code))].toSorted(),
  severity: judged?.severity ?? null,
  exposure: exposureOf(judged),
})
