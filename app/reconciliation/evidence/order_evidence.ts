import type { RefundSeen, RegisterFacts } from '#defects/facts/register_facts'
import { heaviestNonOverlapping } from '#reconciliation/evidence/heaviest_non_overlapping'
import type { Spell } from '#reconciliation/reading/payment_spelling'
import type { DatedFact } from '#reconciliation/evidence/register_evidence'
import type { DatedRefund, EvidenceRow } from '#reconciliation/evidence/evidence_rows'
import { dedupeAcrossRegisters, type ShownMoney } from '#reconciliation/evidence/shown_money'
import { ShownRefunds } from '#reconciliation/evidence/shown_refunds'

const DAY_MS = 86_400_000

interface ShownFact extends ShownMoney {
  fact: RegisterFacts
}

/** What registers say of one order, ours or not; two that cover the same days say the same thing once. */
export class OrderEvidence {
  readonly #facts: ShownFact[] = []
  readonly #refunds = new ShownRefunds()

  add({ fact, at }: DatedFact, { registerId, periodFrom, periodTo }: EvidenceRow) {
    const [from, to] = [periodFrom.getTime(), periodTo.getTime()]
    const paymentId = fact.paymentIds[0] ?? null
    this.#facts.push({ fact, tenge: fact.tenge, paymentId, registerId, at, from, to })
  }

  addRefund(refund: DatedRefund, row: EvidenceRow) {
    this.#refunds.add(refund, row)
  }

  facts(spell: Spell): RegisterFacts[] {
    const spelled = this.#facts.map((one) => respelled(one, spell))
    const {
      MISSING_AT_PLATFORM: charges = [],
      MISSING_AT_PARTNER: missing = [],
      ...ofDays
    } = Object.groupBy(spelled, ({ fact }) => fact.code)
    return [
      ...chargesIn(charges),
      // An order is missing once, whether a register is silent of it or has a row of its refund.
      ...missing.toSorted(bySureness).slice(0, 1),
      // What differs of its refunds is of a register's days, whatever payments it names.
      ...Object.values(ofDays).flatMap((facts) => heaviestNonOverlapping(facts)),
    ].map(({ fact }) => fact)
  }

  refundsSeen(spell: Spell, isOne: (refund: RefundSeen) => boolean) {
    return this.#refunds.seen(spell, isOne)
  }

  /** When money was taken for it. A file may have any date, also of another century: of its register's days and their edges. */
  get chargedAt(): number[] {
    const charges = this.#facts.filter(({ fact }) => fact.code === 'MISSING_AT_PLATFORM')
    return charges.map(({ at, from, to }) =>
      Math.min(Math.max(at ?? from, from - DAY_MS), to + DAY_MS)
    )
  }
}

function respelled(shown: ShownFact, spell: Spell): ShownFact {
  const paymentIds = [...new Set(shown.fact.paymentIds.map((id) => spell(id)!))]
  return { ...shown, fact: { ...shown.fact, paymentIds }, paymentId: paymentIds[0] ?? null }
}

/** A payment is charged once, on whatever day; charges that name none are told apart as refunds are. */
function chargesIn(charges: ShownFact[]): ShownFact[] {
  const surest = new Map<string | null, ShownFact>()
  for (const charge of charges) {
    const known = surest.get(charge.paymentId)
    if (!known || bySureness(charge, known) < 0) surest.set(charge.paymentId, charge)
  }
  const told = dedupeAcrossRegisters(charges)
  const named = new Set(told.flatMap(({ paymentId }) => paymentId ?? []))
  return [
    ...[...named].map((paymentId) => surest.get(paymentId)!),
    ...told.filter(({ paymentId }) => paymentId === null).map(asTold),
  ]
}

/** Of what names no payment a part may be new. */
const asTold = (shown: ShownFact) => ({ ...shown, fact: { ...shown.fact, tenge: shown.tenge } })

/** What may be of a payment that was still waited for comes last. */
function bySureness({ fact: one }: ShownFact, { fact: other }: ShownFact) {
  const byState = Number(one.isOfPending ?? false) - Number(other.isOfPending ?? false)
  return byState || Number(other.tenge - one.tenge)
}
