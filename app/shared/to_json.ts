/** JSON with bigints as text: its numbers lose digits beyond 2^53. */
export const toJson = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
