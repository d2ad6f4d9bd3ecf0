import { SETTINGS } from '#start/settings'
import { QUEUES } from '#start/schedule'
import { registry } from '#telemetry/registry'
import '#telemetry/figures'
import '#telemetry/services'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { findProgram } from '../../../dev/programs.js'

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const RULES = 'deploy/prometheus/ticket-partners.rules.yml'
const NGINX = 'deploy/nginx/ticket-partners.conf'

function ruleExpressions() {
  const { groups } = parse(read(RULES)) as { groups: { rules: { expr: string }[] }[] }
  return groups.flatMap((group) => group.rules.map(({ expr }) => expr))
}

/** Of Prometheus itself, and of exporters that we don't bring. */
const FOREIGN = /^(up|node_.+|pg_.+|patroni_.+|etcd_.+)$/
const WORDS =
  /^(sum|min|max|rate|delta|increase|time|absent|histogram_quantile|by|and|or|on|le|job|kind|mode|state|status|service|operation|partner|queue|invariant|instance|m|h|d|fstype)$/

/** The names of metrics in a PromQL expression: words outside of labels, ranges and strings. */
const metricsIn = (expression: string) =>
  [...expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ').matchAll(/[a-z_]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.test(name) && !FOREIGN.test(name))

async function knownMetrics() {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`])
}

test.group('Files of a deployment', (group) => {
  const scratch = scratchDirectory(group)

  test('rules and dashboard ask only for metrics that we have', async ({ assert }) => {
    const dashboard = JSON.parse(read('deploy/grafana/ticket-partners.json')) as {
      panels: { targets: { expr: string }[] }[]
    }
    const expressions = [
      ...ruleExpressions(),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ]
    assert.isAbove(expressions.length, 30)
    const known = await knownMetrics()
    const unknownOnes = expressions.flatMap(metricsIn).filter((name) => !known.includes(name))
    assert.deepEqual([...new Set(unknownOnes)], [])
  })

  test('every metric that operations.md wakes somebody for has a rule', ({ assert }) => {
    const [, table] = /^## What to watch$(.*?)^## /ms.exec(read('docs/operations.md'))!
    const lines = [...table.matchAll(/^\| (`.+?`) +\| ([^|]+?) +\|/gm)]
    const wanted = lines
      .filter(([, , wakes]) => wakes !== '–')
      .flatMap(([, names]) => [...names.matchAll(/`([a-z_\d]+)/g)].map(([, name]) => name))
    assert.isAbove(wanted.length, 15)
    const asked = ruleExpressions().flatMap(metricsIn)
    const without = wanted.filter(
      (name) => !asked.some((metric) => metric.replace(/_(bucket|count)$/, '') === name)
    )
    assert.deepEqual(without, [])
  })

  test('promtool accepts the rules', ({ assert }) => {
    const output = execFileSync(
      findProgram('promtool')!,
      ['check', 'rules', fileURLToPath(new URL(RULES, ROOT))],
      {
        encoding: 'utf8',
      }
    )
    assert.match(output, /SUCCESS: \d+ rules found/)
  }).skip(!findProgram('promtool'), 'promtool is not installed')

  test('the rules page for a board of invariants that stops, and for one that never began', ({
    assert,
  }) => {
    const cases = fileURLToPath(new URL('tests/unit/dev/prometheus_rules.yml', ROOT))
    const output = execFileSync(findProgram('promtool')!, ['test', 'rules', cases], {
      encoding: 'utf8',
    })
    assert.include(output, 'SUCCESS')
  }).skip(!findProgram('promtool'), 'promtool is not installed')

  test('the block of nginx ends TLS, keeps signatures out of logs and lets no client choose its address', ({
    assert,
  }) => {
    const block = read(NGINX)
    assert.match(block, /listen 80;[^}]*return 301 https:/)
    assert.match(block, /ssl_protocols TLSv1\.2 TLSv1\.3;/)
    assert.include(block, 'proxy_set_header X-Forwarded-For $remote_addr;')
    assert.match(block, /location = \/metrics \{ return 404; \}/)
    assert.match(block, /location \/health\/ \{ return 404; \}/)
    const servers = [...block.matchAll(/^ +server \S+ (.*);/gm)].map(([, options]) => options)
    assert.deepEqual(servers, ['max_fails=0', 'max_fails=0'])
    // Path and query are signed as they came.
    const passed = [...block.matchAll(/proxy_pass (\S+);/g)].map(([, to]) => to)
    assert.deepEqual([...new Set(passed)], ['http://ticket_partners'])
    // What may not be repeated is sent to a second process below the partner API alone.
    assert.lengthOf(block.match(/proxy_next_upstream .*non_idempotent/g)!, 1)
    assert.match(block, /location \/api\/v1\/partners\/ \{[^}]*non_idempotent/)
    const [, format] = /log_format ticket_partners ([^;]+);/.exec(block)!
    assert.include(format, '$logged_uri')
    assert.notMatch(format, /\$(request|request_uri|args|http_referer)\b/)
    assert.match(block, /access_log \S+ ticket_partners;/)
    // What the access log leaves out would stand in the error log, as a part of the whole URL.
    assert.match(block, /location \/tickets\/ \{[^}]*error_log \S+ crit;/)
    assert.match(block, /location \/back-office\/ \{[^}]*error_log \S+ crit;/)
  })

  test('HAProxy ends TLS, sends plain requests there and keeps queries out of logs', ({
    assert,
  }) => {
    const file = read('deploy/ha/haproxy_web.cfg')
    assert.match(file, /bind :80\n +http-request redirect scheme https code 308/)
    assert.match(file, /bind :443 ssl crt/)
    const [, format] = /log-format '([^\n]+)'/.exec(file)!
    assert.include(format, '%HPO')
    assert.notMatch(format, /%(r|HU|HQ|HP\b)/)
  })

  test('WAL is archived whole: the same file again is no error, another one is', ({ assert }) => {
    const program = fileURLToPath(new URL('deploy/backup/archive-wal', ROOT))
    const segment = join(scratch.path, 'segment')
    const archive = join(scratch.path, 'archive')
    mkdirSync(archive)
    writeFileSync(segment, 'what was sold')
    writeFileSync(join(archive, '01.part'), 'what')
    const copy = () => spawnSync(program, [archive, segment, '01']).status
    assert.deepEqual([copy(), copy()], [0, 0])
    writeFileSync(segment, 'something else')
    assert.notEqual(copy(), 0)
    assert.equal(readFileSync(join(archive, '01'), 'utf8'), 'what was sold')
    assert.deepEqual(readdirSync(archive), ['01'])
  })

  test('a backup removes what a killed one has left, and not while one is running', ({
    assert,
  }) => {
    const backups = join(scratch.path, 'backups')
    const programs = join(scratch.path, 'programs')
    mkdirSync(join(backups, '2026-11-28T233000Z.part'), { recursive: true })
    mkdirSync(programs)
    // What PostgreSQL writes is not looked at here.
    for (const name of ['pg_basebackup', 'pg_dump']) symlinkSync('/bin/true', join(programs, name))
    const program = fileURLToPath(new URL('deploy/backup/ticket-partners-backup', ROOT))
    const env = {
      PATH: `${programs}:/usr/bin:/bin`,
      BACKUP_DIRECTORY: backups,
      STORAGE_DIRECTORY: programs,
    }
    const lock = join(backups, 'lock')
    const besideAnother = spawnSync('flock', [lock, program], { env, encoding: 'utf8' })
    assert.deepInclude(besideAnother, { status: 1, stderr: 'A backup is running.\n' })
    assert.includeMembers(readdirSync(backups), ['2026-11-28T233000Z.part'])
    assert.equal(spawnSync(program, { env }).status, 0)
    const [made, ...others] = readdirSync(backups)
    assert.match(made, /^20\S+Z$/)
    assert.deepEqual(others, ['lock'])
  })

  test('compose.yaml has no password of its own', ({ assert }) => {
    const text = read('compose.yaml')
    assert.match(text, /\$\{POSTGRES_PASSWORD:\?/)
    assert.match(text, /\$\{APPLICATION_PASSWORD:\?/)
    const addresses = [...text.matchAll(/postgres:\/\/\w+:([^@]+)@/g)].map(
      ([, password]) => password
    )
    assert.isAbove(addresses.length, 1)
    assert.deepEqual(
      addresses.filter((password) => !password.startsWith('${')),
      []
    )
  })

  test('systemd accepts the units', async ({ assert }) => {
    const units = globSync('deploy/systemd/*', { cwd: ROOT })
    // The programs must be there: ours are only where they are deployed.
    const backup = fileURLToPath(new URL('deploy/backup/', ROOT))
    const files = await Promise.all(
      units.map((path) => {
        const here = read(path)
          .replaceAll('/opt/ticket-partners/node/bin/node', process.execPath)
          .replaceAll('/usr/local/sbin/', backup)
        return scratch.write(basename(path), here)
      })
    )
    const { status, stderr } = spawnSync(findProgram('systemd-analyze')!, ['verify', ...files], {
      encoding: 'utf8',
    })
    // An unknown setting is only a line here.
    assert.equal(stderr, '')
    assert.equal(status, 0)
  }).skip(!findProgram('systemd-analyze'), 'systemd-analyze is not installed')

  test('units of systemd serve every queue and set only settings that exist', ({ assert }) => {
    const units = globSync('deploy/systemd/*', { cwd: ROOT })
      .filter((path) => !path.includes('backup'))
      .map(read)
    const queues = units.flatMap((unit) =>
      [...unit.matchAll(/--queues=([a-z]+)/g)].map(([, name]) => name)
    )
    assert.sameMembers(queues, Object.keys(QUEUES))
    const set = units.flatMap((unit) =>
      [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list]) =>
        list.split(' ').map((assignment) => assignment.split('=')[0])
      )
    )
    assert.includeMembers(Object.keys(SETTINGS), [...new Set(set)])
  })
})
