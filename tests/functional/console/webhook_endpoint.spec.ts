import platform from '#config/platform'
import { aPartner } from '#tests/support/fixtures'
import { rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { run } from './support.js'

const REFUSED: [what: string, url: string, words: RegExp][] = [
  ['credentials', 'https://user:pass@hooks.partner.kz/', /must not carry a name or password/],
  ['a fragment', 'https://hooks.partner.kz/#x', /must not have a fragment/],
  ['too long', `https://hooks.partner.kz/${'x'.repeat(500)}`, /is longer than 500 characters/],
  ['plain HTTP', 'http://hooks.partner.kz/', /must begin with https/],
  ['a private address', 'https://10.0.0.1/', /must lead to a public address/],
  ['no URL', 'hooks.partner.kz', /is not a URL/],
]

test.group('webhook:endpoint', (group) => {
  group.each.setup(() => {
    platform.localWebhooks = false
    return () => {
      platform.localWebhooks = true
    }
  })
  const urlsOf = ({ id }: { id: number }) =>
    rows('SELECT url FROM webhook_endpoints WHERE partner_id = ?', id)

  test('sets the endpoint of a partner', async ({ assert }) => {
    const partner = await aPartner()
    const { exitCode } = await run('webhook:endpoint', partner.code, 'https://hooks.partner.kz/in')
    assert.equal(exitCode, 0)
    assert.deepEqual(await urlsOf(partner), [{ url: 'https://hooks.partner.kz/in' }])
  })

  for (const [what, url, words] of REFUSED) {
    test(`refuses ${what} with a message and exit code 1`, async ({ assert }) => {
      const partner = await aPartner()
      const { exitCode, text } = await run('webhook:endpoint', partner.code, url)
      assert.equal(exitCode, 1)
      assert.match(text, /INVALID_PARAMETERS/)
      assert.match(text, words)
      assert.notInclude(text, 'pass@')
      assert.deepEqual(await urlsOf(partner), [])
    })
  }
})
