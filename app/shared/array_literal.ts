/** What a parameter of a statement may be that PostgreSQL takes as an array. */
type Element = string | number | bigint | boolean | null

/**
 * An array as PostgreSQL reads it (its manual, 8.15.6, "Array Input and Output Syntax"), so that it can be written before the connection
 * is free: pg writes the arrays of a statement only then.
 *
 * Example: [1, null, 'a "b"']
 *     {1,NULL,"a \"b\""}
 */
export const arrayLiteral = (values: readonly Element[]) => `{${values.map(elementLiteral).join()}}`

function elementLiteral(value: Element) {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)
}

/** Parameters of a statement, arrays among them as literals. */
export const withArrayLiterals = <Params extends object>(params: Params) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? arrayLiteral(value) : value,
    ])
    // A statement takes either.
  ) as Params
