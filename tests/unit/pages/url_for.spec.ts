import { test } from '@japa/runner'
import { pathPrefix, urlFor } from '../../../resources/routes.js'

test.group('URLs of the pages', () => {
  test('a placeholder is replaced and encoded', ({ assert }) => {
    assert.equal(urlFor('back_office.order', { id: 'a/b' }), '/back-office/orders/a%2Fb')
    assert.equal(urlFor('hall_plan', { digest: 'd41d' }), '/plans/d41d.svg')
    const params = { id: 'e1', cart: 'crt_1' }
    assert.equal(
      urlFor('back_office.seat_plan.release', params),
      '/back-office/events/e1/plan/carts/crt_1'
    )
  })

  test('an optional placeholder may be left out', ({ assert }) => {
    assert.equal(urlFor('back_office.account.sessions.end'), '/back-office/account/sessions')
    const one = urlFor('back_office.account.sessions.end', { id: 's1' })
    assert.equal(one, '/back-office/account/sessions/s1')
  })

  test('entries of the query without a value are left out', ({ assert }) => {
    const url = urlFor('back_office.orders', {}, { qs: { q: 'Алия & co', partner: null } })
    const query = new URLSearchParams(url.split('?')[1])
    assert.deepEqual(Object.fromEntries(query), { q: 'Алия & co' })
  })

  test('the prefix of a route ends before its first placeholder', ({ assert }) => {
    assert.equal(pathPrefix('back_office.statement'), '/back-office/statements')
    assert.equal(pathPrefix('back_office.overview'), '/back-office')
  })
})
