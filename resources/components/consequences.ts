/** A consequence of what there is; of none of it there is nothing to say. */
export const ifAny = (count: number, consequence: string): string[] =>
  count > 0 ? [consequence] : []
