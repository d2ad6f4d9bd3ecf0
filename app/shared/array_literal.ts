/** A value in an array that a statement takes for a parameter. */
type Element = string | number | bigint | boolean | null

/**
 * An array as PostgreSQL reads it (its manual, 8.15.6, "Array Input and Output Syntax"). pg writes arrays only when it sends the
 * statement; this can be done while the connection is still busy with the one before.
 *
 * Example: [1, null, 'a "b"']
 *     {1,NULL,"a \"b\""}
 */
export const arrayLiteral = (values: readonly Element[]) => `{${values.map(elementLiteral).join()}}`

function elementLiteral(value: Element) {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  if (['number', 'bigint', 'boolean'].includes(typeof value)) return String(value)
  throw new TypeError(`No element of an array: ${typeof value}`)
}

/** Parameters of a statement, arrays among them as literals: PostgreSQL takes either. */
export const withArrayLiterals = <Params extends object>(params: Params) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? arrayLiteral(value) : value,
    ])
  ) as Params
