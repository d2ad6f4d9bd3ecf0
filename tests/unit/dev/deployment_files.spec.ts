import { SETTINGS } from '#start/settings'
import { QUEUES } from '#start/schedule'
import { registry } from '#telemetry/registry'
import '#telemetry/figures'
import '#telemetry/services'
import { test } from '@japa/runner'
import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Of Prometheus itself, and of exporters that we don't bring. */
const FOREIGN = /^(up|node_.+|pg_.+)$/
const WORDS =
  /^(sum|min|max|rate|delta|increase|histogram_quantile|by|and|on|le|job|kind|mode|state|status|service|operation|partner|queue|instance|m|h|d|fstype)$/

/** The names of metrics in a PromQL expression: words outside of labels, ranges and strings. */
const metricsIn = (expression: string) =>
  [...expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ').matchAll(/[a-z_]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.test(name) && !FOREIGN.test(name))

async function knownMetrics() {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`])
}

test.group('Files of a deployment', () => {
  test('rules and dashboard ask only for metrics that we have', async ({ assert }) => {
    const rules = parse(read('deploy/prometheus/ticket-partners.rules.yml')) as {
      groups: { rules: { expr: string }[] }[]
    }
    const dashboard = JSON.parse(read('deploy/grafana/ticket-partners.json')) as {
      panels: { targets: { expr: string }[] }[]
    }
    const expressions = [
      ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ]
    assert.isAbove(expressions.length, 30)
    const known = await knownMetrics()
    const unknownOnes = expressions.flatMap(metricsIn).filter((name) => !known.includes(name))
    assert.deepEqual([...new Set(unknownOnes)], [])
  })

  test('units of systemd serve every queue and set only settings that exist', ({ assert }) => {
    const units = globSync('deploy/systemd/*', { cwd: ROOT }).map(read)
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
