import { readRange } from '#http/byte_range'
import { test } from '@japa/runner'

const SIZE = 500

test.group('Byte ranges', () => {
  const rows: [header: string | undefined, expected: ReturnType<typeof readRange>][] = [
    [undefined, null],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=400-', { first: 400, last: 499 }],
    ['bytes=400-9999', { first: 400, last: 499 }],
    ['bytes=-100', { first: 400, last: 499 }],
    ['bytes=-9999', { first: 0, last: 499 }],
    ['bytes=499-499', { first: 499, last: 499 }],
    ['bytes=500-', 'unsatisfiable'],
    ['bytes=500-600', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=9-3', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['bytes=a-b', null],
    ['lines=0-1', null],
    ['', null],
  ]
  for (const [header, expected] of rows) {
    test(`${header} of ${SIZE} bytes`, ({ assert }) => {
      assert.deepEqual(readRange(header, SIZE), expected)
    })
  }
})
