/** JSON with bigints as text: it has no whole numbers of their size. */
export const toJson = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
