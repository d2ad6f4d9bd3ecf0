import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Statement } from './generator/jobs.ts'

const ENTRY = /^\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] (\w+): {2}/
const EXECUTED = /^(?:execute ([^:]+)|statement): ([\s\S]*)$/
const SETTLED_MS = 300

/** What PostgreSQL is asked while `act` runs, in order, read from its own log. */
export async function statementsDuring(
  admin: pg.Client,
  file: string,
  act: () => Promise<void>
): Promise<Statement[]> {
  await setLogging(admin, 'all')
  const { size } = await stat(file)
  await act()
  await delay(SETTLED_MS)
  const log = await readFile(file)
  await setLogging(admin, 'none')
  return entriesOf(log.subarray(size).toString()).flatMap(({ level, message }) => {
    const [, name = '', statement] = (level === 'LOG' && EXECUTED.exec(message)) || []
    return statement === undefined ? [] : [{ name, text: statement }]
  })
}

async function setLogging(admin: pg.Client, what: 'all' | 'none') {
  await admin.query(`ALTER SYSTEM SET log_statement = '${what}'`)
  await admin.query('SELECT pg_reload_conf()')
  await delay(SETTLED_MS)
}

/** A statement of several lines continues behind tabs. */
function entriesOf(log: string) {
  const entries: { level: string; message: string }[] = []
  for (const line of log.split('\n')) {
    const head = ENTRY.exec(line)
    if (head) entries.push({ level: head[1], message: line.slice(head[0].length) })
    else if (line.startsWith('\t')) entries.at(-1)!.message += `\n${line.slice(1)}`
  }
  return entries
}
