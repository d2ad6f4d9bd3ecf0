import '#start/routes'
import { ABILITIES, may, rolesThatMay } from '#staff_area/permissions'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

/** Before sign-in, what concerns nobody but the person, views (who sees a list may save views of it), and that an address leads nowhere. */
const OPEN = [
  'back_office.sign_in',
  'back_office.sign_in.store',
  'back_office.sign_in.code',
  'back_office.sign_in.code.store',
  'back_office.language',
  'back_office.sign_out',
  'back_office.account.show',
  'back_office.account.password',
  'back_office.account.password.update',
  'back_office.account.second_factor',
  'back_office.account.second_factor.update',
  'back_office.account.second_factor.drop',
  'back_office.account.recovery_codes',
  'back_office.account.recovery_codes.renew',
  'back_office.account.sessions.end',
  'back_office.saved_views.store',
  'back_office.saved_view.change',
  'back_office.saved_view.delete',
  'back_office.default_view',
  'back_office.nowhere',
]

test.group('Permissions', () => {
  test('every route of the back office needs a permission, except the listed ones', ({
    assert,
  }) => {
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

  test('an administrator has every permission, and is the only role to manage staff and to erase buyers', ({
    assert,
  }) => {
    assert.isTrue(ABILITIES.every((ability) => may('admin', ability)))
    const alone = ABILITIES.filter((ability) => rolesThatMay(ability).length === 1)
    assert.deepEqual(alone, ['buyers.erase', 'staff.manage'])
  })

  test('an auditor reads and exports everything, and changes nothing', ({ assert }) => {
    const allowed = ABILITIES.filter((ability) => may('auditor', ability))
    const reading = ABILITIES.filter((ability) => ability.endsWith('.read'))
    assert.sameMembers(allowed, [...reading, 'settlement.export'])
  })
})
