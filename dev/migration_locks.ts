/**
 * What a migration must not do while the release before it sells: rewrite a table, read it through under a lock, or wait for a
 * lock without an end, because everybody who comes after waits behind it.
 *
 *     ALTER TABLE orders ADD COLUMN seen_at timestamptz;                                fine: only the catalogue changes
 *     ALTER TABLE orders ADD COLUMN token uuid DEFAULT gen_random_uuid();               rewrites the table
 *     CREATE INDEX ON orders (seen_at);                                                 no sale while it is built
 *     -- Short lock: halls has a dozen rows.
 *     CREATE INDEX ON halls (name);                                                     fine: the line above says why
 *
 * A table that the same migration creates is empty, and may be treated in any way; one of STAFF_TABLES only within lock_timeout.
 */
export interface LockProblem {
  /** The statement's beginning. */
  statement: string
  problem: string
}

/**
 * Small tables that only staff and checks write: a rewrite or an index takes a moment, and no sale waits longer than that. Sales
 * read the terms alone, a few rows for each partner.
 */
export const STAFF_TABLES: ReadonlySet<string> = new Set([
  'partner_registers',
  'register_sources',
  'settlement_cases',
  'settlement_memos',
  'settlement_payment_parts',
  'settlement_payments',
  'settlement_requests',
  'settlement_statements',
  'settlement_terms',
])

interface Statement {
  sql: string
  /** A line of the statement, or of the comment above it, says why its lock is short. */
  isExcused: boolean
}

const EXCUSE = /--\s*Short lock: \S+.*/
const VOLATILE =
  /\b(clock_timestamp|timeofday|random|gen_random_uuid|uuidv[47]|nextval|pg_current_xact_id|txid_current)\s*\(/i
const SAYS_LOCK_TIMEOUT = /\bset\s+(local\s+)?lock_timeout\b/i

/** The SQL of a migration without its `down`: every template or string, also those of constants below the class. */
export function sqlOf(source: string): string[] {
  const up = source.replace(/^( *)async down\(.*\{[\s\S]*?\n\1\}$/m, '')
  return [...up.matchAll(/`((?:[^`\\]|\\[\s\S])*)`|'((?:[^'\\\n]|\\.)*)'/g)].map(
    ([, template, text]) => template ?? text
  )
}

/** Cuts at semicolons that are neither in a string, nor in a comment, nor in a body; then come the statements of DO's bodies. */
function statementsOf(sql: string): Statement[] {
  const parts = sql.match(/\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|--[^\n]*|;|[\s\S]/g) ?? []
  const statements: string[] = ['']
  for (const part of parts) {
    if (part === ';') statements.push('')
    else statements[statements.length - 1] += part
  }
  const inBodies = statements.flatMap((text) => {
    const body = /^(?:\s|--[^\n]*\n)*DO\s+\$(\w*)\$([\s\S]*)\$\1\$/i.exec(text)?.[2]
    return body ? statementsOf(body.replaceAll(/\b(BEGIN|THEN|ELSE|LOOP)\b/gi, ';')) : []
  })
  return [...statements.map(readStatement), ...inBodies]
}

function readStatement(text: string): Statement {
  return {
    sql: text
      .replaceAll(/--[^\n]*/g, ' ')
      .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$body$')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    isExcused: EXCUSE.test(text),
  }
}

const unquoted = (name: string) => name.replaceAll('"', '').replace(/^public\./, '')

/** Names of the tables that this text creates. */
export const createdTables = (sql: string) =>
  new Set(
    [...sql.matchAll(/\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?("?[\w.]+"?)/gi)].map(
      ([, name]) => unquoted(name)
    )
  )

/** Names of domains with a CHECK: a column of one is checked row by row when it is added. */
export const domainsIn = (source: string) =>
  [...source.matchAll(/CREATE DOMAIN (\w+)/gi)].map(([, name]) => name)

/** The actions of an ALTER TABLE, cut at commas that stand in no brackets. */
export function actionsOf(actions: string): string[] {
  const found = ['']
  let depth = 0
  for (const letter of actions) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) found.push('')
    else found[found.length - 1] += letter
  }
  return found.map((action) => action.trim())
}

const addsColumn = /^ADD (?:COLUMN )?(?:IF NOT EXISTS )?("?\w+"?) (\w+)(.*)$/i
const addsConstraint =
  /^ADD (?:CONSTRAINT \S+ )?(CHECK|FOREIGN KEY|UNIQUE|PRIMARY KEY|EXCLUDE)\b(.*)$/i

function problemOfAction(action: string, domains: ReadonlySet<string>): string | null {
  const constraint = addsConstraint.exec(action)
  if (constraint)
    return /\bNOT VALID\b|\bUSING INDEX\b/i.test(action)
      ? null
      : 'reads the whole table under a lock: add the constraint NOT VALID, and validate it in a later migration'
  const column = addsColumn.exec(action)
  if (column) return problemOfColumn(column[2], column[3], domains)
  if (/^ALTER (COLUMN )?\S+ (SET DATA )?TYPE\b/i.test(action))
    return 'rewrites the table: add a column of the new type, fill it in batches, then change over (expand and contract)'
  if (/^ALTER (COLUMN )?\S+ SET NOT NULL\b/i.test(action))
    return 'reads the whole table under a lock: validate a CHECK (… IS NOT NULL) first'
  if (/^SET (LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i.test(action)) return 'rewrites the table'
  return null
}

function problemOfColumn(type: string, rest: string, domains: ReadonlySet<string>) {
  if (/\bDEFAULT\b/i.test(rest) && VOLATILE.test(rest))
    return 'rewrites the table: a default that differs from row to row'
  if (/\bGENERATED\b/i.test(rest) || /^(small|big)?serial$/i.test(type)) return 'rewrites the table'
  if (domains.has(type)) return 'rewrites the table: its type is a domain with a CHECK'
  if (/\b(CHECK|REFERENCES|UNIQUE|PRIMARY KEY)\b/i.test(rest))
    return 'reads the whole table under a lock: add the constraint NOT VALID by itself, or the index CONCURRENTLY'
  return null
}

function problemOf({ sql }: Statement, isSmall: (table: string) => boolean, domains: Set<string>) {
  const index =
    /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(?:\S+ )?ON (?:ONLY )?("?[\w.${}]+"?)/i.exec(
      sql
    )
  if (index && !index[1] && !isSmall(index[2]))
    return 'keeps everybody from writing while it is built: CONCURRENTLY, in a migration of its own with disableTransactions'
  if (
    /^(VACUUM FULL|CLUSTER|REINDEX (?!.*CONCURRENTLY)|REFRESH MATERIALIZED VIEW (?!CONCURRENTLY))/i.test(
      sql
    )
  )
    return 'rewrites under a lock'
  if (/^ALTER DOMAIN \S+ ADD (?!.*\bNOT VALID\b)/i.test(sql))
    return 'reads every table with a column of the domain under a lock: add the constraint NOT VALID and leave it so, or use a CHECK of the table'
  if (/^ALTER DOMAIN \S+ VALIDATE\b/i.test(sql))
    return 'keeps sales from writing every table with a column of the domain while it reads them: use a CHECK of the table instead'
  const alter = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?("?[\w.${}]+"?) (.*)$/i.exec(sql)
  if (!alter || isSmall(alter[1])) return null
  const problems = actionsOf(alter[2]).map((action) => problemOfAction(action, domains))
  return problems.find((problem) => problem !== null) ?? null
}

/** Takes a lock on a table that keeps others from reading or writing it; validating a constraint does not. */
function locks({ sql }: Statement, isNew: (table: string) => boolean) {
  if (/^ALTER TABLE \S+ VALIDATE CONSTRAINT \S+$/i.test(sql)) return false
  const table =
    /^(?:ALTER|DROP) TABLE (?:IF EXISTS )?(?:ONLY )?("?[\w.${}]+"?)/i.exec(sql)?.[1] ??
    /^(?:CREATE (?:OR REPLACE )?|DROP )(?:CONSTRAINT )?TRIGGER .*? ON ("?[\w.${}]+"?)/i.exec(
      sql
    )?.[1] ??
    /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?(?:\S+ )?ON ("?[\w.${}]+"?)/i.exec(
      sql
    )?.[1]
  return table !== undefined && !isNew(table)
}

/** What is wrong with a migration; `domains` are those of all migrations. */
export function lockProblems(source: string, domains: ReadonlySet<string>): LockProblem[] {
  const statements = sqlOf(source).flatMap(statementsOf)
  const created = createdTables(statements.map(({ sql }) => sql).join(';'))
  const isNew = (table: string) => created.has(unquoted(table))
  const isSmall = (table: string) => isNew(table) || STAFF_TABLES.has(unquoted(table))
  const open = statements.filter(({ isExcused }) => !isExcused)
  const found = open.flatMap((one) => {
    const problem = problemOf(one, isSmall, new Set(domains))
    return problem ? [{ statement: one.sql.slice(0, 80), problem }] : []
  })
  const isAlone = /disableTransactions\s*=\s*true/.test(source)
  const concurrent = statements.find(({ sql }) =>
    /^(CREATE|DROP|REINDEX)\b.*\bINDEX CONCURRENTLY\b/i.test(sql)
  )
  if (concurrent && !isAlone)
    found.push({
      statement: concurrent.sql.slice(0, 80),
      problem: 'CONCURRENTLY needs disableTransactions: it is not possible in a transaction',
    })
  const waiting = open.find((one) => locks(one, isNew))
  if (waiting && !SAYS_LOCK_TIMEOUT.test(source))
    found.push({
      statement: waiting.sql.slice(0, 80),
      problem:
        "waits for its lock without an end, and every sale behind it: begin with SET LOCAL lock_timeout = '3s'",
    })
  return found
}
