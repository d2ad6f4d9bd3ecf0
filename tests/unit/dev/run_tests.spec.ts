import { codeOf, noCounts, readCounts } from '../../../dev/run_tests.ts'
import { test } from '@japa/runner'

test.group('A part of a run of all tests', () => {
  const afterLines = (...lines: string[]) => {
    const counts = noCounts()
    for (const line of lines) readCounts(line, counts)
    return counts
  }

  test('passes when its summary says so', ({ assert }) => {
    const counts = afterLines(
      '  ✔ one (5ms)',
      '\u001B[32mTests  41 passed, 1 skipped (42)\u001B[39m'
    )
    assert.deepInclude(counts, { passed: 41, skipped: 1, failed: 0 })
    assert.equal(codeOf(0, counts), 0)
    assert.equal(codeOf(1, counts), 1)
    assert.equal(codeOf(null, counts), 1)
  })

  test('fails when it was stopped before its summary, whatever the code of its process', ({
    assert,
  }) => {
    const counts = afterLines('  ✔ one (5ms)', '  ✖ two (7ms)')
    assert.equal(codeOf(0, counts), 1)
    assert.equal(codeOf(null, counts), 1)
    assert.equal(codeOf(130, counts), 130)
  })
})
