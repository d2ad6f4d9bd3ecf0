import '#start/routes'
import { ABILITIES, PERMISSIONS, ROLES } from '#back_office/permissions'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

/** Before sign-in, and what concerns nobody but the person. */
const OPEN = [
  'back_office.sign_in',
  'back_office.sign_in.store',
  'back_office.language',
  'back_office.sign_out',
]

test.group('Permissions', () => {
  test('every route of the back office wants an ability, but for those listed', ({ assert }) => {
    router.commit()
    const routes = Object.values(router.toJSON())
      .flat()
      .filter(({ pattern }) => pattern.startsWith('/back-office'))
    const guarded = routes.filter(({ middleware }) =>
      [...middleware.all()].some((layer) => 'name' in layer && layer.name === 'ability')
    )

    const unguarded = routes.filter((route) => !guarded.includes(route)).map(({ name }) => name)
    assert.sameMembers(unguarded, OPEN)
    assert.isNotEmpty(guarded)
  })

  test('an administrator may everything, and every ability belongs to somebody else too', ({
    assert,
  }) => {
    assert.sameMembers([...PERMISSIONS.admin], [...ABILITIES])
    const others = ROLES.filter((role) => role !== 'admin').flatMap((role) => PERMISSIONS[role])
    assert.includeMembers(others, [...ABILITIES])
  })
})
