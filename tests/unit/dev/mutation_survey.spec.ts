import { test } from '@japa/runner'
import { CoverageMap } from '../../../dev/mutation/coverage.ts'
import { mutate } from '../../../dev/mutation/mutant.ts'
import { changesOf } from '../../../dev/mutation/operators.ts'
import { survey } from '../../../dev/mutation/survey.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../dev/paths.ts'

const changed = (text: string) =>
  changesOf(text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end)
  )

test.group('Small wrong changes', () => {
  for (const [text, wrong] of [
    ['x = a && b', ['x = a', 'x = b']],
    ['x = a < b', ['x = a <= b']],
    ['x = a === b ? 1 : 2', ['x = (1)', 'x = (2)', 'x = a !== b ? 1 : 2']],
    ['if (a) b()', ['if (false) b()', 'if (a) ;']],
    ['await lock()', [';']],
    ['const MOST = 5', ['const MOST = (5 + 1)']],
    ['x = rows.filter(isOpen)', ['x = rows']],
    ['x = a.some(isOpen)', ['x = a.every(isOpen)']],
    ["import a from 'SELECT'", []],
    ["x = 'a text'", []],
    ['x = `SELECT 1 FROM t WHERE a = 1 FOR UPDATE`', ['x = `SELECT 1 FROM t WHERE a = 1`']],
    [
      'x = `SELECT 1 WHERE a = 1 AND (b OR c AND d) AND e ORDER BY f`',
      [
        'x = `SELECT 1 WHERE a = 1 AND e ORDER BY f`',
        'x = `SELECT 1 WHERE a = 1 AND (b OR c) AND e ORDER BY f`',
        'x = `SELECT 1 WHERE a = 1 AND (b OR c AND d) ORDER BY f`',
      ],
    ],
    [
      'x = `UPDATE t SET a = 1 WHERE b AND c = (${d}) RETURNING e`',
      ['x = `UPDATE t SET a = 1 WHERE b RETURNING e`'],
    ],
    ['x = `SELECT 1 WHERE a BETWEEN 1 AND 2`', []],
  ] as [string, string[]][])
    test(text, ({ assert }) => assert.deepEqual(changed(text), wrong))
})

const FILE = 'app/shared/instants.ts'
test.group('A survey of mutants', () => {
  test('the same seed chooses the same, each once and with a text that stands once', ({
    assert,
  }) => {
    const asked = { count: 20, seed: 7, wanted: [FILE] }
    const mutants = survey(asked, new CoverageMap())
    assert.deepEqual(survey(asked, new CoverageMap()), mutants)
    assert.notDeepEqual(survey({ ...asked, seed: 8 }, new CoverageMap()), mutants)
    const text = readFileSync(join(root, FILE), 'utf8')
    const results = mutants.map((mutant) => mutate(text, mutant))
    assert.lengthOf(new Set(results), 20)
    assert.notInclude(results, text)
    assert.isTrue(mutants.every(({ specs }) => specs.length === 0))
  })

  test('the specs that run the innermost function, the narrowest first', ({ assert }) => {
    const coverage = new CoverageMap()
    const lines = { [FILE]: ['10-30'] }
    coverage.add('outer', { milliseconds: 1, lines })
    coverage.add('broad', { milliseconds: 1, lines: { [FILE]: ['10-30', '12-14'], x: ['1-2'] } })
    coverage.add('narrow', { milliseconds: 1, lines: { [FILE]: ['12-14'] } })
    assert.deepEqual(coverage.specsOf(FILE, 13), ['narrow', 'broad'])
    assert.deepEqual(coverage.specsOf(FILE, 20), ['outer', 'broad'])
    assert.deepEqual(coverage.specsOf(FILE, 40), [])
  })

  test('of a constant, the specs that run what uses it', ({ assert }) => {
    const file = 'app/back_office/orders/search_orders.ts'
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    const lineOf = (part: string) => lines.findIndex((line) => line.includes(part)) + 1
    const use = lineOf('most = MOST')
    const coverage = new CoverageMap()
    coverage.add('uses', { milliseconds: 1, lines: { [file]: [`${use}-${use + 10}`] } })
    const all = survey({ count: 1_000, seed: 1, wanted: [file] }, coverage)
    const ofConstant = all.filter(({ name }) => name.includes(`:${lineOf('const MOST')} `))
    assert.deepEqual(
      ofConstant.map(({ specs }) => specs),
      [['uses']]
    )
  })

  test('no more specs than fit into half a minute, and one in any case', ({ assert }) => {
    const lines = { [FILE]: ['1-1000'] }
    const slow = new CoverageMap()
    slow.add('slow', { milliseconds: 90_000, lines })
    slow.add('slower', { milliseconds: 95_000, lines })
    const [mutant] = survey({ count: 1, seed: 1, wanted: [FILE] }, slow)
    assert.deepEqual(mutant.specs, ['slow'])
  })
})
