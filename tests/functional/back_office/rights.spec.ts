import type { Ability } from '#staff_area/permissions'
import EnableStaff from '#staff/actions/enable_staff'
import DisableStaff from '#staff/actions/disable_staff'
import { ROLES, type Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { TESTER } from '#tests/support/fixtures'
import { signedIn, PageClient } from '#tests/support/page_client'
import { ROLES_BY_RIGHT, ROUTES_BY_RIGHT, mayByHand } from '#tests/support/rights'
import { one } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import limiter from '@adonisjs/limiter/services/main'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

/** Names nothing, wherever it stands, and fits wherever a number is wanted. */
const NOTHING = '999999999'
const BASE = '/back-office'
const SAFE_METHODS = ['GET', 'HEAD']

type Right = keyof typeof ROUTES_BY_RIGHT

interface OfficeRoute {
  method: string
  /** With the names of its parameters. */
  pattern: string
  path: string
  right: Right
}

interface Layer {
  name?: string
  args?: Ability
}

/** The routes as the application has them, each with the right that its middleware wants. */
function officeRoutes(): OfficeRoute[] {
  const routes = Object.values(router.toJSON()).flat()
  return routes.flatMap(({ pattern: whole, methods, middleware }) => {
    if (!whole.startsWith(BASE) || whole === `${BASE}/*`) return []
    const layers = [...middleware.all()].filter((layer) => typeof layer === 'object') as Layer[]
    const ability = layers.find(({ name }) => name === 'ability')?.args
    const needsSession = layers.some(({ name }) => name === 'signedIn')
    const right = ability ?? (needsSession ? 'SIGNED_IN' : 'ANYBODY')
    const pattern = whole.slice(BASE.length) || '/'
    const path = pattern.replaceAll(/:\w+\??/g, NOTHING)
    const asked = methods.filter((method) => method !== 'HEAD')
    return asked.map((method) => ({ method, pattern, path, right }))
  })
}

const describeRoute = ({ method, pattern }: OfficeRoute) => `${method} ${pattern}`
const isGuarded = ({ right }: OfficeRoute) => right !== 'ANYBODY' && right !== 'SIGNED_IN'
const isUnsafe = ({ method }: OfficeRoute) => !SAFE_METHODS.includes(method)

/** The front page redirects gate staff to the gate. */
const isLedToGate = ({ right }: OfficeRoute, role: Role, location: string | null) =>
  right === 'overview.read' && role === 'gate' && location === '/back-office/gate'

test.group('Permissions', (group) => {
  group.each.setup(() => limiter.clear())

  test('every route wants the right of the table that is written by hand', ({ assert }) => {
    const found = officeRoutes().map((route) => `${route.right}: ${describeRoute(route)}`)
    const expected = Object.entries(ROUTES_BY_RIGHT).flatMap(([right, routes]) =>
      routes.map((route) => `${right}: ${route}`)
    )
    assert.sameMembers(found, expected)
  })

  test('nothing is changed by a right to read', ({ assert }) => {
    const readers = officeRoutes().filter((route) => isUnsafe(route) && /\.read$/.test(route.right))
    assert.deepEqual(readers.map(describeRoute), [])
  })

  test('{$self}: every route answers 403 without its right, and not with it')
    .with([...ROLES])
    .run(async ({ assert }, role: Role) => {
      const client = await signedIn(await aStaffMember(role))
      const wrong: string[] = []
      for (const route of officeRoutes().filter(isGuarded)) {
        const { status, location } = await client.send(route.method, route.path)
        const isAllowed = mayByHand(role, route.right as Ability)
        const isRight = isAllowed ? status !== 403 && status < 500 : status === 403
        if (!isRight && !isLedToGate(route, role, location))
          wrong.push(`${describeRoute(route)} answered ${status}`)
      }
      assert.deepEqual(wrong, [])
    })

  test('the page of rights shows the table that is written by hand', async ({ assert }) => {
    const client = await signedIn(await aStaffMember('auditor'))
    const { props } = await client.get('/staff/rights')
    const shown = props.rights as { ability: Ability; roles: Role[] }[]
    const found = Object.fromEntries(shown.map(({ ability, roles }) => [ability, roles]))
    const rights = Object.keys(ROLES_BY_RIGHT) as Ability[]
    const expected = rights.map((right) => [right, ROLES.filter((role) => mayByHand(role, right))])
    assert.deepEqual(found, Object.fromEntries(expected))
  })

  test('every route needs a session', async ({ assert }) => {
    const client = new PageClient()
    await client.get('/sign-in')
    const open: string[] = []
    for (const route of officeRoutes().filter(({ right }) => right !== 'ANYBODY')) {
      const { status, location } = await client.send(route.method, route.path)
      // Who signs out goes there in any case.
      const isLedAway = location === '/back-office/sign-in'
      const isRefused = isUnsafe(route) && route.path !== '/sign-out' ? status === 401 : isLedAway
      if (!isRefused) open.push(describeRoute(route))
    }
    assert.deepEqual(open, [])
  })

  test('the sessions of somebody who was disabled stay ended when they are enabled', async ({
    assert,
  }) => {
    const person = await aStaffMember('gate')
    const { id } = await one('SELECT id FROM staff WHERE email = ?', person.email)
    const client = await signedIn(person)
    assert.equal(await client.sentTo('/'), '/back-office/gate')

    await new DisableStaff().handle({ id, reason: 'Отпуск', actor: TESTER })
    await new EnableStaff().handle({ id, reason: null, actor: TESTER })

    assert.equal(await client.sentTo('/'), '/back-office/sign-in')
    await client.signIn(person.email, person.password)
    assert.equal(await client.sentTo('/'), '/back-office/gate')
  })
})

test.group('Requests without the token of a form', (group) => {
  group.each.setup(() => limiter.clear())

  test('every route that changes something refuses them', async ({ assert }) => {
    const client = await signedIn(await aStaffMember('admin'))
    await client.get('/account')
    const routes = officeRoutes().filter(isUnsafe)
    assert.isAbove(routes.length, 60)
    const taken: string[] = []
    for (const route of routes) {
      const sent = await client.forge(route.method, route.path)
      if (sent.status === 401) continue
      const errors = sent.location ? await client.errorsAfter(Promise.resolve(sent)) : {}
      if (sent.status !== 303 || errors.form !== 'refused.FORM_EXPIRED')
        taken.push(`${describeRoute(route)} answered ${sent.status}`)
    }
    assert.deepEqual(taken, [])
    assert.isNull(await client.sentTo('/account'), 'still signed in')
  })
})

test.group('Sessions of staff', () => {
  test('no unsafe route outside the back office takes its session for who asks', async ({
    assert,
  }) => {
    const client = await StaffClient.signedIn('admin')
    const asked: string[] = []
    const taken: string[] = []
    for (const { pattern, methods } of Object.values(router.toJSON()).flat()) {
      if (pattern.startsWith(BASE)) continue
      const unsafe = methods.filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      for (const method of unsafe) {
        const path = pattern.replaceAll(/:\w+\??/g, NOTHING).replace(/\*$/, 'nowhere')
        const { status } = await client.send(method, path, {})
        asked.push(`${method} ${pattern}`)
        if (![401, 404, 405].includes(status)) taken.push(`${method} ${pattern} answered ${status}`)
      }
    }
    assert.includeMembers(asked, ['POST /api/v1/partners/bookings', 'POST /api/v1/gate/scans'])
    assert.deepEqual(taken, [])
  })
})
