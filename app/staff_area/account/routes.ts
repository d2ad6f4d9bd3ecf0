import { ownArea } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Account = () => import('#staff_area/account/account_controller')
const OwnPassword = () => import('#staff_area/account/own_password_controller')
const OwnSecondFactor = () => import('#staff_area/account/own_second_factor_controller')
const RecoveryCodes = () => import('#staff_area/account/recovery_codes_controller')
const OwnSessions = () => import('#staff_area/account/own_sessions_controller')

// One's own account needs no ability; the forced setup steps are done on these pages.
ownArea(() => {
  router
    .group(() => {
      router.get('/password', [OwnPassword, 'edit']).as('password')
      router.put('/password', [OwnPassword, 'update']).as('password.update')
    })
    .prefix('/account')
    .as('account')
    .use(middleware.accountSetup('password'))
  router
    .group(() => {
      router.get('/second-factor', [OwnSecondFactor, 'edit']).as('second_factor')
      router.put('/second-factor', [OwnSecondFactor, 'update']).as('second_factor.update')
    })
    .prefix('/account')
    .as('account')
    .use(middleware.accountSetup('secondFactor'))
  router
    .group(() => {
      router.get('/', [Account, 'show']).as('show')
      router.delete('/second-factor', [OwnSecondFactor, 'destroy']).as('second_factor.drop')
      router.get('/recovery-codes', [RecoveryCodes, 'show']).as('recovery_codes')
      router.post('/recovery-codes', [RecoveryCodes, 'store']).as('recovery_codes.renew')
      router.delete('/sessions/:id?', [OwnSessions, 'destroy']).as('sessions.end')
    })
    .prefix('/account')
    .as('account')
    .use(middleware.accountSetup())
})
