/** A register, or one of its rows, as the evidence of a finding names it: `register 2`, `register 2 line 8`. */
export interface NamedRegister {
  registerId: number
  line: number | null
}

const NAME = /^register (\d+)(?: line (\d+))?$/

export const nameRegister = (registerId: number, line?: number) =>
  `register ${registerId}` + (line === undefined ? '' : ` line ${line}`)

/** Undefined for evidence that is no register: a request, an order, a ticket. */
export function findNamedRegister(evidence: string): NamedRegister | undefined {
  const found = NAME.exec(evidence)
  if (!found) return undefined
  const [, registerId, line] = found
  return { registerId: Number(registerId), line: line === undefined ? null : Number(line) }
}
