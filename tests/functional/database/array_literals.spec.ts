import { arrayLiteral, withArrayLiterals } from '#shared/array_literal'
import { statement } from '#shared/statement'
import { test } from '@japa/runner'

const TEXTS = [
  'plain',
  '',
  'NULL',
  'null',
  ' a ',
  'a,b',
  '{a}',
  '"',
  '\\',
  '\\"',
  "'",
  'ё ₸\n\t',
  null,
]

const readTexts = statement<{ text: string | null }, { texts: string[] }>(
  'test_array_of_texts',
  'SELECT unnest(:texts::text[]) AS text'
)
const readValues = statement<
  { number: bigint | null; flag: boolean | null; found: unknown },
  { numbers: unknown[]; flags: unknown[]; found: unknown[] }
>(
  'test_array_of_values',
  'SELECT * FROM unnest(:numbers::bigint[], :flags::boolean[], :found::jsonb[]) AS r (number, flag, found)'
)

test.group('Array literals', () => {
  test('are read by PostgreSQL as the texts that were written', async ({ assert }) => {
    const found = await readTexts(withArrayLiterals({ texts: TEXTS as string[] }))
    assert.deepEqual(
      found.map(({ text }) => text),
      TEXTS
    )
  })

  test('hold numbers, flags and JSON', async ({ assert }) => {
    const tenge = 9_007_199_254_740_993n
    const found = await readValues(
      withArrayLiterals({
        numbers: [tenge, null, 7],
        flags: [true, false, null],
        found: [JSON.stringify({ was: 'a "b" \\' }), null, '[]'],
      })
    )
    assert.deepEqual(found, [
      { number: tenge, flag: true, found: { was: 'a "b" \\' } },
      { number: null, flag: false, found: null },
      { number: 7n, flag: null, found: [] },
    ])
  })

  test('may be empty', ({ assert }) => {
    assert.equal(arrayLiteral([]), '{}')
  })
})
