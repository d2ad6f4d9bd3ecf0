/** PostgreSQL keeps no NUL and no half of a letter; what somebody sends may hold both. */
export const storable = (text: string) => text.replaceAll('\0', '\u{FFFD}').toWellFormed()

/** For `JSON.stringify`: all texts in it like that. */
export const storableTexts = (_: string, value: unknown) =>
  typeof value === 'string' ? storable(value) : value
