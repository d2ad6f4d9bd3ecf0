import { checkCodeOf, isCheckCode } from '#tickets/check_code'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'

const TOKEN = 'header.claims.signature'

test.group('Check codes', () => {
  test('has four unambiguous characters, the same each time', ({ assert }) => {
    for (let index = 0; index < 1_000; index++) {
      const token = randomBytes(20).toString('base64url')
      assert.match(checkCodeOf(token), /^[2-9A-HJ-NP-Z]{4}$/)
      assert.equal(checkCodeOf(token), checkCodeOf(token))
    }
  })

  test('stays the same for tickets that were sold', ({ assert }) => {
    assert.equal(checkCodeOf(TOKEN), 'C74Y')
  })

  test('is accepted however it is typed', ({ assert }) => {
    const [a, b, c, d] = checkCodeOf(TOKEN)
    const small = checkCodeOf(TOKEN).toLowerCase()
    for (const typed of [small, ` ${small} `, `${a}${b} ${c}${d}`, `${a}${b}-${c}${d}`])
      assert.isTrue(isCheckCode(TOKEN, typed), typed)
  })

  test('any other code is wrong', ({ assert }) => {
    const code = checkCodeOf(TOKEN)
    const wrong = ['', code.slice(1), `${code}A`, 'AAAA', '\0\0\0\0', 'ЖЖ', '\ud800', '😀']
    for (const typed of wrong) assert.isFalse(isCheckCode(TOKEN, typed), JSON.stringify(typed))
  })

  test('differs between tokens', ({ assert }) => {
    assert.notEqual(checkCodeOf(`${TOKEN}x`), checkCodeOf(TOKEN))
  })
})
