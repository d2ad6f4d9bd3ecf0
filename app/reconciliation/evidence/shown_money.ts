import { dayNumber } from '#shared/days'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/** What rows of a register show of one order: taken, or given back. */
export interface ShownMoney {
  tenge: bigint
  paymentId: string | null
  registerId: number
  /** Null where no row has a date: any day of the register. */
  at: number | null
  /** The register's days. */
  from: number
  to: number
}

/**
 * What registers show together, the same money once. Of a payment and day the register is believed that shows most of it;
 * what names no payment is taken for what others show of that day, and counts as far as it is more. What has no date is
 * compared with all days of its register. Of a row there may be a part.
 */
export function dedupeAcrossRegisters<Shown extends ShownMoney>(all: readonly Shown[]): Shown[] {
  const dated = all.filter(({ at }) => at !== null)
  const days = Map.groupBy(dated, dayOf)
  const named = Map.groupBy(namedIn(dated), dayOf)
  const registers = Map.groupBy(all, ({ registerId }) => registerId)
  let kept = [...days].flatMap(([day, shown]) => {
    const known = named.get(day) ?? []
    return [...known, ...namelessIn(shown, known, registers)]
  })
  for (const own of mostFirst(all.filter(({ at }) => at === null))) {
    const ofRegister = registers.get(own[0].registerId)!
    const met = kept.filter((one) => meets(one, own[0]))
    kept = [...kept, ...beyond(own, ofRegister, met)]
  }
  return kept
}

const dayOf = ({ at }: ShownMoney) => dayNumber(at!)

/** Payment by payment what that register shows of a day which has most of it. */
const namedIn = <Shown extends ShownMoney>(dated: readonly Shown[]): Shown[] =>
  [...Map.groupBy(dated.filter(isNamed), ({ paymentId }) => paymentId).values()].flatMap(mostByDay)

/** A bank may have a day later what a shop has, but not more days than that. */
const MOST_DAYS_LATER = 3

/** Without what another register that covers both days has told some days before, where each of them shows but one of the two. */
function mostByDay<Shown extends ShownMoney>(ofPayment: readonly Shown[]): Shown[] {
  const days = Map.groupBy(ofPayment, dayOf)
  const shows = (day: number, [{ registerId }]: Shown[]) =>
    days.get(day)!.some((one) => one.registerId === registerId)
  const kept: { day: number; own: Shown[] }[] = []
  const toldAgain = new Map<Shown[], number>()
  const findBefore = (day: number, own: Shown[]) =>
    kept.find(
      (one) =>
        day - one.day <= MOST_DAYS_LATER &&
        (toldAgain.get(one.own) ?? day) === day &&
        sumOf(one.own) === sumOf(own) &&
        !shows(day, one.own) &&
        !shows(one.day, own) &&
        meets(one.own[0], own[0]) &&
        meets(own[0], one.own[0])
    )
  for (const day of [...days.keys()].toSorted((one, other) => one - other))
    for (const own of mostFirst(days.get(day)!)) {
      const before = findBefore(day, own)
      if (before) toldAgain.set(before.own, day)
      else {
        kept.push({ day, own })
        break
      }
    }
  return kept.flatMap(({ own }) => own)
}

/** Of the register that shows most beyond payments which others name. */
function namelessIn<Shown extends ShownMoney>(
  day: readonly Shown[],
  named: readonly Shown[],
  registers: ReadonlyMap<number, readonly Shown[]>
) {
  const left = mostFirst(day.filter(isNameless)).map((nameless) => {
    const others = withoutNamesOf(registers.get(nameless[0].registerId)!, named)
    return { nameless, others, tenge: atLeastNothing(sumOf(nameless) - sumOf(others)) }
  })
  const [most] = left.toSorted((one, other) => descending(one.tenge, other.tenge))
  return most ? taken(most.nameless, most.tenge, most.others) : []
}

/** What a register has without a date, as far as all that it shows is more than what is known of its days. */
function beyond<Shown extends ShownMoney>(own: Shown[], ofRegister: Shown[], met: Shown[]) {
  const payments = Map.groupBy(own, ({ paymentId }) => paymentId)
  return [...payments].flatMap(([paymentId, rows]) => {
    const isOne = (one: ShownMoney) => one.paymentId === paymentId
    const others = paymentId === null ? withoutNamesOf(ofRegister, met).filter(isNamed) : []
    const known = [...met.filter(isOne), ...others]
    const tenge = atLeastNothing(sumOf(ofRegister.filter(isOne)) - sumOf(known))
    return taken(rows, tenge, known)
  })
}

const isNamed = ({ paymentId }: ShownMoney) => paymentId !== null
const isNameless = ({ paymentId }: ShownMoney) => paymentId === null

/** What is not of the payments that a register names itself. */
function withoutNamesOf<Shown extends ShownMoney>(own: readonly Shown[], shown: readonly Shown[]) {
  const names = new Set(own.map(({ paymentId }) => paymentId))
  return shown.filter(({ paymentId }) => !names.has(paymentId))
}

/** As many rows as make a sum, first those that none of the others is like. */
function taken<Shown extends ShownMoney>(rows: Shown[], tenge: bigint, others: Shown[]) {
  if (tenge === 0n) return []
  const alike = new Map<bigint, number>()
  for (const one of others) alike.set(one.tenge, (alike.get(one.tenge) ?? 0) + 1)
  const isAlike = (one: Shown) => {
    const count = alike.get(one.tenge) ?? 0
    alike.set(one.tenge, count - 1)
    return count > 0
  }
  const ranked = Map.groupBy(rows, isAlike)
  let left = tenge
  return [...(ranked.get(false) ?? []), ...(ranked.get(true) ?? [])].flatMap((one) => {
    const part = lesser(one.tenge, left)
    left -= part
    return part > 0n ? { ...one, tenge: part } : []
  })
}

/** Register by register, whichever was read first. */
const mostFirst = <Shown extends ShownMoney>(all: readonly Shown[]) =>
  [...Map.groupBy(all, ({ registerId }) => registerId).values()].toSorted(
    (one, other) =>
      descending(sumOf(one), sumOf(other)) ||
      other.length - one.length ||
      one[0].registerId - other[0].registerId
  )

const descending = (one: bigint, other: bigint) => Number(other - one)

/** Whether it may be on one of the days of what has no date. */
const meets = (one: ShownMoney, { from, to }: ShownMoney) =>
  one.at === null ? one.from < to && from < one.to : one.at >= from && one.at < to

const sumOf = (all: readonly ShownMoney[]) => sum(all.map(({ tenge }) => tenge))
