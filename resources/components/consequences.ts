/** A line for the consequences of a form; none for a count of zero. */
export const ifAny = (count: number, consequence: string): string[] =>
  count > 0 ? [consequence] : []
