import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../dev/paths.js'
import { test } from '@japa/runner'

const [, open, ...chapters] = readFileSync(join(root, 'docs/security.md'), 'utf8').split(/^## /m)
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| ([\d., –]+?) +\| (.*?) *\|/gm)].map(([, numbers, state]) => ({
    numbers: numbers.split(', '),
    state,
  }))
const STATES = ['met', 'partly', 'not', 'operator', 'no']

test.group('Requirements of OWASP ASVS in docs/security.md', () => {
  test('what is open is what its rows say is partly met or not', ({ assert }) => {
    const rows = rowsOf(chapters.join('\n'))
    const unmet = rows.filter(({ state }) => ['partly', 'not'].includes(state))
    assert.sameMembers(
      rowsOf(open).flatMap(({ numbers }) => numbers),
      unmet.flatMap(({ numbers }) => numbers)
    )
    assert.deepEqual([...new Set(rows.map(({ state }) => state))].toSorted(), STATES.toSorted())
  })
})
