import { isId, newId } from '#shared/public_id'
import { test } from '@japa/runner'
import fc from 'fast-check'

const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 })

test.group('Public ids', () => {
  test('have their prefix and 26 unambiguous characters', ({ assert }) => {
    for (const prefix of ['evt', 'ven', 'bkg', 'tkt', 'crt'] as const) {
      assert.match(newId(prefix), new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`))
    }
  })

  test('sort by the time of their creation', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => a === b || a < b === newId('bkg', a) < newId('bkg', b))
    )
  })

  test('are all different, 100,000 of them in one millisecond', ({ assert }) => {
    const ids = new Set(Array.from({ length: 100_000 }, () => newId('tkt', 1_700_000_000_000)))
    assert.equal(ids.size, 100_000)
  })

  test('are valid with their own prefix only', ({ assert }) => {
    const id = newId('bkg')
    assert.isTrue(isId('bkg', id))
    assert.isFalse(isId('evt', id))
  })

  for (const junk of [
    '',
    'bkg_',
    'bkg_1',
    `bkg_${'0'.repeat(27)}`,
    `BKG_${'0'.repeat(26)}`,
    `bkg_${'0'.repeat(26)}\n`,
    `bkg_${'A'.repeat(26)}`,
  ]) {
    test(`${JSON.stringify(junk)} is not a public id`, ({ assert }) => {
      assert.isFalse(isId('bkg', junk))
    })
  }
})
