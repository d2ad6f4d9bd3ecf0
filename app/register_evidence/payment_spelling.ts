import { foldId } from '#register_reading/read_id'

/** Returns the one spelling of a payment id of an order, whatever a spreadsheet made of it. */
export type Spell = (paymentId: string | null) => string | null

/** Spells a payment id as confirms do, otherwise as the first register with it. */
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
