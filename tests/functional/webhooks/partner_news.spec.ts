import { one } from '#tests/support/rows'
import { PARTNER_NEWS } from '#webhooks/partner_news'
import { test } from '@japa/runner'

test.group('Journal entries for partners', () => {
  test('the relay’s index names the same journal entries as the code', async ({ assert }) => {
    const { predicate } = await one(
      `SELECT pg_get_expr(indpred, indrelid) AS predicate FROM pg_index WHERE indexrelid = 'journal_news'::regclass`
    )
    const names = [...String(predicate).matchAll(/'([a-z_]+)'/g)].map(([, name]) => name)
    assert.sameMembers(names, [...PARTNER_NEWS])
  })
})
