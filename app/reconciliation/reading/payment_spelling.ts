import { foldId } from '#reconciliation/reading/read_id'

/** The one way in which a payment of an order is written, whatever a spreadsheet made of it. */
export type Spell = (paymentId: string | null) => string | null

/** Payments as confirms name them; another as the first register does that has it. */
export function spelling(known: Iterable<string | null | undefined>): Spell {
  const exact = new Set<string>()
  for (const id of known) if (id) exact.add(id)
  const first = new Map([...exact].map((id) => [foldId(id), id]))
  return (paymentId) => {
    if (paymentId === null || exact.has(paymentId)) return paymentId
    const folded = foldId(paymentId)
    const spelled = first.get(folded) ?? paymentId
    first.set(folded, spelled)
    return spelled
  }
}
