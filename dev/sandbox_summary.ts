import { existsSync, readFileSync } from 'node:fs'
import { sandboxFile } from './paths.ts'

type Sandbox = {
  base_url: string
  staff: { role: string; email: string; password: string }[]
  partners: { code: string; api_key: string; secret: string }[]
  events: { purpose: string; event_id: string }[]
  gate: { name: string; key: string }
}

type Addresses = { appUrl: string; databaseUrl: string; redisUrl: string }

/** The addresses and credentials of the running sandbox, to copy and paste. */
export function sandboxSummary({ appUrl, databaseUrl, redisUrl }: Addresses) {
  const sandbox = readSandbox()
  return [
    '',
    `Ready: ${appUrl}`,
    ...(sandbox ? describe(sandbox) : []),
    section('In another terminal', [
      'npm run ace -- list',
      `psql '${databaseUrl}'`,
      `redis-cli -u '${redisUrl}'`,
    ]),
    '',
    'Ctrl-C stops everything and keeps the data; npm run dev -- --fresh starts again without it.',
    '',
  ].join('\n')
}

function describe({ base_url: baseUrl, staff, partners, events, gate }: Sandbox) {
  return [
    section('Back office', table(staff.map((each) => [each.role, each.email, each.password]))),
    section('Partner API', [
      `export PARTNER_BASE_URL='${baseUrl}'`,
      ...partners.flatMap(({ code, api_key: key, secret }) => [
        `${code}`,
        `  export PARTNER_API_KEY='${key}'`,
        `  export PARTNER_SECRET='${secret}'`,
      ]),
    ]),
    section('Gate', [`export GATE_KEY='${gate.key}'`]),
    section('Events', table(events.map((each) => [each.purpose, each.event_id]))),
  ]
}

function section(title: string, lines: string[]) {
  return ['', title, ...lines.map((line) => `  ${line}`)].join('\n')
}

function table(rows: string[][]) {
  const width = (column: number) => Math.max(...rows.map((row) => row[column].length))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(width(column)))
      .join('  ')
      .trimEnd()
  )
}

function readSandbox(): Sandbox | undefined {
  return existsSync(sandboxFile) ? JSON.parse(readFileSync(sandboxFile, 'utf8')) : undefined
}
