import type { StatementLine } from '#ledger/movements'
import { digestLines, type StatementHeader } from '#ledger/statement_digest'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'

const header: StatementHeader = {
  number: 2,
  partnerId: 7,
  from: new Date('2026-09-30T19:00:00Z'),
  to: new Date('2026-10-31T19:00:00Z'),
  termsId: 3,
  openingTenge: 50_000n,
  prevSha256: 'a'.repeat(64),
}
const lines: StatementLine[] = [
  { kind: 'sale', amount: '12000', tickets: 1, isLate: true, canonical: '["sale", "12000", 1]' },
  { kind: 'sale', amount: '24000', tickets: 2, isLate: false, canonical: '["sale", "24000", 2]' },
  {
    kind: 'commission',
    amount: '-3600',
    tickets: 0,
    isLate: false,
    canonical: '["commission", "-3600", 0]',
  },
]

test.group('The first form of a statement’s hash', () => {
  test('totals are added by kind, and the hash covers the header and the lines in their order', async ({
    assert,
  }) => {
    const digest = await digestLines(header, lines)
    assert.deepEqual([digest.lines, digest.lateLines], [3, 1])
    assert.deepEqual(digest.totals.sale, { movements: 2, tickets: 3, tenge: 36_000n })
    assert.deepEqual(digest.totals.commission, { movements: 1, tickets: 0, tenge: -3_600n })
    const text = [
      `["statement",2,7,"2026-09-30T19:00:00.000Z","2026-10-31T19:00:00.000Z",3,"50000","${'a'.repeat(64)}"]`,
      ...lines.map(({ canonical }) => canonical),
    ].join('\n')
    assert.equal(digest.sha256, createHash('sha256').update(text).digest('hex'))
  })

  test('the hash changes with the hash of the statement before, with the order of lines and with any line', async ({
    assert,
  }) => {
    const { sha256 } = await digestLines(header, lines)
    for (const changed of [
      await digestLines({ ...header, prevSha256: null }, lines),
      await digestLines(header, lines.toReversed()),
      await digestLines(header, lines.slice(1)),
    ]) {
      assert.notEqual(changed.sha256, sha256)
    }
  })
})
