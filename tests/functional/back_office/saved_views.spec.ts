import { ABILITIES } from '#staff_area/permissions'
import { SAVED_LISTS } from '#staff_area/saved_views/saved_lists'
import { MOST_SHARED_VIEWS, MOST_VIEWS, type SavedView } from '#staff/saved_views/saved_view'
import type { Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { aSale } from '#tests/support/fixtures'
import { signedIn, type PageClient } from '#tests/support/page_client'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'

const OWN = { list: 'orders', isShared: false, filters: {}, columns: null }
const SHARED = { ...OWN, isShared: true }

async function aPerson(role: Role = 'support') {
  const person = await aStaffMember(role)
  const { id } = await one('SELECT id FROM staff WHERE email = ?', person.email)
  const client = await signedIn(person)
  // Where a form leads back to.
  await client.get('/account')
  return { client, email: person.email, staffId: id as number }
}

/** Other tests share views, too. */
const aName = () => `View ${randomBytes(6).toString('hex')}`

const viewsOf = async (client: PageClient, path = '/orders?view=all') => {
  const { props } = await client.get(path)
  return (props.savedViews as { views: SavedView[] }).views
}
async function viewNamed(client: PageClient, name: string) {
  const views = await viewsOf(client)
  return views.find((view) => view.name === name)
}

/** Saves a view, and returns it as the list has it now. */
async function saved(client: PageClient, view: Partial<typeof OWN> & { filters?: object } = {}) {
  const name = aName()
  await client.post('/saved-views', { ...OWN, ...view, name })
  return (await viewNamed(client, name))!
}
const journalOf = (email: string) =>
  rows(
    `SELECT name, change FROM journal WHERE actor = ? AND name LIKE 'view\\_%' ORDER BY id`,
    email
  )

/** Views past the application, to fill a list. */
const fill = (staffId: number, list: string, views: number, isShared = false) =>
  ownerRows(
    `INSERT INTO saved_views (staff_id, list, place, name, is_shared, filters)
     SELECT ?, ?, n, 'View ' || n, ?, '{}' FROM generate_series(1, ?) AS n`,
    staffId,
    list,
    isShared,
    views
  )

test.group('Saved views', () => {
  test('filters and columns are saved under a name and stand in the journal', async ({
    assert,
  }) => {
    const { client, email } = await aPerson()
    const columns = ['id', 'totalTenge', 'buyer']
    const name = aName()
    const filters = { status: 'paid', partner: 'kassa' }
    await client.post('/saved-views', { ...OWN, name, filters, columns })
    const { id, ...view } = (await viewNamed(client, name))!
    assert.isAbove(id, 0)
    const content = { name, isShared: false, filters, columns }
    assert.deepEqual(view, { ...content, isMine: true, madeBy: null, isDefault: false })
    assert.deepEqual(await journalOf(email), [
      { name: 'view_saved', change: { list: 'orders', name, is_shared: false, filters } },
    ])
  })

  test('what somebody searches for is not saved: it may name a buyer', async ({ assert }) => {
    const { client } = await aPerson()
    const filters = { status: 'paid', q: 'aida@mail.kz', before: 'x', page: '2' }
    const view = await saved(client, { filters })
    assert.deepEqual(view.filters, { status: 'paid' })
  })

  test('a view of one’s own is seen by nobody else, a shared one by all who may see the list', async ({
    assert,
  }) => {
    const { client } = await aPerson()
    const own = await saved(client)
    const shared = await saved(client, SHARED)
    const { client: colleague } = await aPerson('finance')
    assert.isUndefined(await viewNamed(colleague, own.name))
    const seen = await viewNamed(colleague, shared.name)
    assert.deepInclude(seen, { id: shared.id, isMine: false, madeBy: 'The support' })
  })

  test('nobody saves or changes views of a list that they may not see', async ({ assert }) => {
    const finance = await aPerson('finance')
    const name = aName()
    await finance.client.post('/saved-views', { ...SHARED, list: 'cases', name })
    const views = await viewsOf(finance.client, '/cases?view=all')
    const { id } = views.find((view) => view.name === name)!
    const gate = await aPerson('gate')
    const support = await aPerson('support')
    const errors = [
      await gate.client.errorsAfter(gate.client.post('/saved-views', { ...OWN, name })),
      await support.client.errorsAfter(
        support.client.post('/saved-views', { ...OWN, list: 'cases', name })
      ),
      await support.client.errorsAfter(support.client.put(`/saved-views/${id}`, { name: aName() })),
      await support.client.errorsAfter(support.client.delete(`/saved-views/${id}`)),
      await support.client.errorsAfter(support.client.put('/default-views/cases', { viewId: id })),
    ]
    assert.deepEqual(errors, Array(5).fill({ form: 'refused.NO_SUCH' }))
    const left = await rows('SELECT name FROM saved_views WHERE id = ?', id)
    assert.deepEqual(left, [{ name }])
    assert.deepEqual(await rows('SELECT FROM saved_views WHERE staff_id = ?', gate.staffId), [])
  })

  test('only its maker and administrators change or delete a shared view', async ({ assert }) => {
    const maker = await aPerson()
    const view = await saved(maker.client, SHARED)
    const other = await aPerson('operations')
    const { client } = other
    const refused = [
      await client.errorsAfter(client.put(`/saved-views/${view.id}`, { name: aName() })),
      await client.errorsAfter(client.put(`/saved-views/${view.id}`, { isShared: false })),
      await client.errorsAfter(client.put(`/saved-views/${view.id}`, { filters: {} })),
      await client.errorsAfter(client.delete(`/saved-views/${view.id}`)),
    ]
    assert.deepEqual(refused, Array(4).fill({ form: 'refused.NOT_YOUR_VIEW' }))
    assert.deepEqual(await viewNamed(maker.client, view.name), view)
    assert.deepEqual(await journalOf(other.email), [])

    const admin = await aPerson('admin')
    const renamed = aName()
    await admin.client.put(`/saved-views/${view.id}`, { name: renamed })
    assert.deepEqual(await viewNamed(maker.client, renamed), { ...view, name: renamed })
    await admin.client.delete(`/saved-views/${view.id}`)
    assert.isUndefined(await viewNamed(maker.client, renamed))
    assert.deepEqual(await journalOf(admin.email), [
      {
        name: 'view_changed',
        change: {
          list: 'orders',
          name: view.name,
          made_by: maker.email,
          changed: { name: { from: view.name, to: renamed } },
          columns_changed: null,
        },
      },
      {
        name: 'view_deleted',
        change: { list: 'orders', name: renamed, made_by: maker.email, filters: {} },
      },
    ])
  })

  test('an administrator does not see what others saved for themselves', async ({ assert }) => {
    const { client } = await aPerson()
    const view = await saved(client)
    const { client: admin } = await aPerson('admin')
    const errors = await admin.errorsAfter(admin.delete(`/saved-views/${view.id}`))
    assert.deepEqual(errors, { form: 'refused.NO_SUCH' })
    assert.deepEqual(await viewNamed(client, view.name), view)
  })

  test('a change leaves alone what it does not name', async ({ assert }) => {
    const { client } = await aPerson()
    const view = await saved(client, { filters: { status: 'paid' } })
    await client.put(`/saved-views/${view.id}`, { filters: { status: 'expired' }, columns: ['id'] })
    await client.put(`/saved-views/${view.id}`, { isShared: true })
    const changed = { filters: { status: 'expired' }, columns: ['id'], isShared: true }
    assert.deepEqual(await viewNamed(client, view.name), { ...view, ...changed })
  })

  test('a name has 1 to 80 letters and is one’s own only once in a list, in any case', async ({
    assert,
  }) => {
    const { client, staffId } = await aPerson()
    const other = await aPerson()
    const name = aName()
    const save = (given: string, list = 'orders') =>
      client.errorsAfter(client.post('/saved-views', { ...OWN, list, name: given }))
    assert.deepEqual(await save(name), {})
    assert.deepEqual(await save(name.toUpperCase()), { name: 'fields.name_taken' })
    assert.deepEqual(await save('  '), { name: 'fields.required' })
    assert.deepEqual(await save('я'.repeat(81)), { name: 'fields.too_long' })
    assert.deepEqual(await save('я'.repeat(80)), {})
    assert.deepEqual(await save(name, 'events'), {})
    assert.isDefined(await saved(other.client, { ...OWN, name } as object))
    const { count } = await one(
      'SELECT count(*)::int AS count FROM saved_views WHERE staff_id = ?',
      staffId
    )
    assert.equal(count, 3)
    const second = await saved(client)
    const renamed = client.put(`/saved-views/${second.id}`, { name: name.toLowerCase() })
    assert.deepEqual(await client.errorsAfter(renamed), { name: 'fields.name_taken' })
    await client.put(`/saved-views/${second.id}`, { name: second.name.toUpperCase() })
    assert.isDefined(await viewNamed(client, second.name.toUpperCase()))
  })

  test(`a person has ${MOST_VIEWS} views of a list, and gets room by deleting one`, async ({
    assert,
  }) => {
    const { client, staffId } = await aPerson()
    await fill(staffId, 'orders', MOST_VIEWS)
    const name = aName()
    const save = () => client.errorsAfter(client.post('/saved-views', { ...OWN, name }))
    assert.deepEqual(await save(), { form: 'refused.TOO_MANY_VIEWS' })
    const views = await viewsOf(client)
    assert.lengthOf(
      views.filter(({ isMine }) => isMine),
      MOST_VIEWS
    )
    await client.delete(`/saved-views/${views.find((view) => view.name === 'View 77')!.id}`)
    assert.deepEqual(await save(), {})
    assert.isDefined(await viewNamed(client, name))
  })

  test('of many that are saved at once none is beyond the last place, and none fails', async ({
    assert,
  }) => {
    const { client, staffId } = await aPerson()
    await fill(staffId, 'orders', MOST_VIEWS - 3)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post('/saved-views', { ...OWN, name: aName() }))
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [302])
    const { count } = await one(
      'SELECT count(*)::int AS count FROM saved_views WHERE staff_id = ?',
      staffId
    )
    assert.equal(count, MOST_VIEWS)
  })

  test(`a list has ${MOST_SHARED_VIEWS} shared views`, async ({ assert, cleanup }) => {
    const first = await aPerson('finance')
    await ownerRows(`DELETE FROM saved_views WHERE list = 'runs'`)
    await fill(first.staffId, 'runs', MOST_SHARED_VIEWS, true)
    cleanup(
      async () =>
        void (await ownerRows('DELETE FROM saved_views WHERE staff_id = ?', first.staffId))
    )
    const { client } = await aPerson('finance')
    const view = { ...OWN, list: 'runs', name: aName() }
    const shared = client.post('/saved-views', { ...view, isShared: true })
    const tooMany = { form: 'refused.TOO_MANY_SHARED_VIEWS' }
    assert.deepEqual(await client.errorsAfter(shared), tooMany)
    assert.deepEqual(await client.errorsAfter(client.post('/saved-views', view)), {})
    const views = await viewsOf(client, '/runs?view=all')
    const { id } = views.find(({ name }) => name === view.name)!
    const change = client.put(`/saved-views/${id}`, { isShared: true })
    assert.deepEqual(await client.errorsAfter(change), tooMany)
  })

  test('columns and filters that no list has are refused or left out', async ({ assert }) => {
    const { client } = await aPerson()
    const save = (view: object) =>
      client.errorsAfter(client.post('/saved-views', { ...OWN, name: aName(), ...view }))
    assert.property(await save({ columns: [] }), 'columns')
    assert.deepEqual(await save({ columns: ['<b>'] }), { 'columns.0': 'fields.wrong_form' })
    const long = { status: 'x'.repeat(65) }
    assert.deepEqual(await save({ filters: long }), { 'filters.status': 'fields.too_long' })
    const escaped = (_: unknown, n: number) => [`f${n}`.padEnd(40, 'f'), '\u0001'.repeat(64)]
    const longest = Object.fromEntries(Array.from({ length: 15 }, escaped))
    assert.deepEqual(await save({ filters: longest }), {})
    assert.deepEqual(await save({ list: 'nothing' }), { form: 'refused.NO_SUCH' })
    const many = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`f${n}`, 'x']))
    assert.property(await save({ filters: many }), 'filters')
    const odd = await saved(client, { filters: { 'a b': 'x', 'kind': '\0' } })
    assert.deepEqual(odd.filters, { kind: '\u{FFFD}' })
  })
})

test.group('The address of a view', () => {
  test('a view’s number opens its filters; who does not see it gets the list as it is', async ({
    assert,
  }) => {
    const { client } = await aPerson()
    const view = await saved(client, { filters: { status: 'paid', partner: 'Қасса' } })
    const full = new URLSearchParams({ ...view.filters, view: String(view.id) })
    assert.equal(await client.sentTo(`/orders?view=${view.id}`), `/back-office/orders?${full}`)
    assert.isNull(await client.sentTo(`/orders?${full}`))
    const { client: other } = await aPerson()
    assert.isNull(await other.sentTo(`/orders?view=${view.id}`))
    assert.isNull(await client.sentTo('/orders?view=999999999'))
    assert.isNull(await client.sentTo('/orders?view=%00'))
  })

  test('the default view opens where the address says nothing else', async ({ assert }) => {
    const { client } = await aPerson()
    const view = await saved(client, { filters: { status: 'paid' } })
    assert.isNull(await client.sentTo('/orders'))
    await client.put('/default-views/orders', { viewId: view.id })
    assert.isTrue((await viewNamed(client, view.name))!.isDefault)
    assert.equal(await client.sentTo('/orders'), `/back-office/orders?status=paid&view=${view.id}`)
    assert.isNull(await client.sentTo('/orders?view=all'))
    assert.isNull(await client.sentTo('/orders?event=evt_1'))
    await client.put('/default-views/orders', { viewId: null })
    assert.isNull(await client.sentTo('/orders'))
  })

  test('a colleague’s view is nobody’s default any more once it is not shared', async ({
    assert,
  }) => {
    const maker = await aPerson()
    const view = await saved(maker.client, SHARED)
    const { client } = await aPerson()
    await client.put('/default-views/orders', { viewId: view.id })
    assert.equal(await client.sentTo('/orders'), `/back-office/orders?view=${view.id}`)
    await maker.client.put(`/saved-views/${view.id}`, { isShared: false })
    assert.isNull(await client.sentTo('/orders'))
    await maker.client.put(`/saved-views/${view.id}`, { isShared: true })
    await maker.client.delete(`/saved-views/${view.id}`)
    assert.isNull(await client.sentTo('/orders'))
  })

  test('a view of one list is not the default of another', async ({ assert }) => {
    const { client } = await aPerson()
    const view = await saved(client)
    const answer = client.put('/default-views/events', { viewId: view.id })
    assert.deepEqual(await client.errorsAfter(answer), { form: 'refused.NO_SUCH' })
  })

  test('a message is still shown when the list opens its default view', async ({ assert }) => {
    const { client } = await aPerson()
    const view = await saved(client, { filters: { status: 'paid' } })
    await client.get('/orders')
    const { location } = await client.put('/default-views/orders', { viewId: view.id })
    const { location: opened } = await client.get(location!.replace('/back-office', ''))
    const { props } = await client.get(opened!.replace('/back-office', ''))
    assert.equal(props.notice.key, 'saved_views.default_set')
  })

  test('every list that has saved views gives them to its page', async ({ assert }) => {
    const { partner } = await aSale()
    const { client } = await aPerson('admin')
    for (const list of Object.keys(SAVED_LISTS)) {
      const path = list === 'registers' ? `/settlement/${partner.code}/registers` : `/${list}`
      const { props } = await client.get(path)
      assert.equal(props.savedViews.list, list)
    }
    assert.includeMembers(ABILITIES, Object.values(SAVED_LISTS))
  })
})
