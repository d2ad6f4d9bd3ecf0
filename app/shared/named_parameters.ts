/** Text in quotes, comments, casts, and the names of parameters. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([a-zA-Z]\w*)/g

export interface PositionalSql {
  /** The SQL that PostgreSQL parses: `WHERE id = $1 OR parent_id = $1`. */
  text: string
  /** The name of each position, the first of them for `$1`. */
  names: readonly string[]
}

/**
 * Replaces named parameters by PostgreSQL's positions. A name that stands twice is one position.
 *
 *     WHERE id = :id AND seen_at < :now::date OR parent_id = :id
 *     WHERE id = $1 AND seen_at < $2::date OR parent_id = $1       names: id, now
 */
export function toPositional(sql: string): PositionalSql {
  const names: string[] = []
  const text = sql.replace(TOKEN, (token, name: string | undefined) => {
    if (!name) return token
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}

/**
 * The values in the order of their positions; a parameter that is a function gives its value now. Throws for a name without a
 * value (null is one).
 */
export function valuesFor(names: readonly string[], params: object): unknown[] {
  const values = params as Record<string, unknown>
  return names.map((name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The parameter :${name} has no value`)
    return typeof value === 'function' ? (value as () => unknown)() : value
  })
}
