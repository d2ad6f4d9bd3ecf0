import { rolesThatMay, type Ability } from '#staff_area/permissions'
import { ROLES, type Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { signedIn, PageClient } from '#tests/support/page_client'
import limiter from '@adonisjs/limiter/services/main'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

/** Names nothing, wherever it stands, and fits wherever a number is wanted. */
const NOTHING = '999999999'

interface GuardedRoute {
  method: string
  path: string
  ability: Ability
}

const abilityOf = (layers: Iterable<unknown>) =>
  [...layers]
    .filter((layer) => typeof layer === 'object' && layer !== null)
    .map((layer) => layer as { name?: string; args?: Ability })
    .find(({ name }) => name === 'ability')?.args

function guardedRoutes(): GuardedRoute[] {
  const routes = Object.values(router.toJSON()).flat()
  return routes.flatMap(({ pattern, methods, middleware }) => {
    const ability = abilityOf(middleware.all())
    if (!pattern.startsWith('/back-office') || !ability) return []
    const path = pattern.replace('/back-office', '').replaceAll(/:\w+\??/g, NOTHING) || '/'
    const asked = methods.filter((method) => method !== 'HEAD')
    return asked.map((method) => ({ method, path, ability }))
  })
}

const describeRoute = ({ method, path, ability }: GuardedRoute) => `${method} ${path} (${ability})`

/** The front page redirects gate staff to the gate. */
const isLedToGate = ({ ability }: GuardedRoute, role: Role, location: string | null) =>
  ability === 'overview.read' && role === 'gate' && location === '/back-office/gate'

test.group('Permissions', (group) => {
  group.each.setup(() => limiter.clear())

  test('the list of routes is complete', ({ assert }) => {
    const methods = new Set(guardedRoutes().map(({ method }) => method))
    assert.includeMembers([...methods], ['GET', 'POST', 'PUT', 'DELETE'])
    assert.isAbove(guardedRoutes().length, 12)
  })

  test('{$self}: every route answers 403 without its permission, and not with it')
    .with([...ROLES])
    .run(async ({ assert }, role: Role) => {
      const client = await signedIn(await aStaffMember(role))
      const wrong: string[] = []
      for (const route of guardedRoutes()) {
        const { status, location } = await client.send(route.method, route.path)
        const isAllowed = rolesThatMay(route.ability).includes(role)
        const isRight = isAllowed ? status !== 403 && status < 500 : status === 403
        if (!isRight && !isLedToGate(route, role, location))
          wrong.push(`${describeRoute(route)} answered ${status}`)
      }
      assert.deepEqual(wrong, [])
    })

  test('every route needs a session', async ({ assert }) => {
    const client = new PageClient()
    await client.get('/sign-in')
    const open: string[] = []
    for (const route of guardedRoutes()) {
      const { location } = await client.send(route.method, route.path)
      if (location !== '/back-office/sign-in') open.push(describeRoute(route))
    }
    assert.deepEqual(open, [])
  })
})
