import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const People = () => import('#back_office/staff/people_controller')
const Rights = () => import('#back_office/staff/rights_controller')
const Roles = () => import('#back_office/staff/staff_roles_controller')
const Standings = () => import('#back_office/staff/staff_standings_controller')
const Passwords = () => import('#back_office/staff/staff_passwords_controller')
const SecondFactors = () => import('#back_office/staff/staff_second_factors_controller')
const SignInLocks = () => import('#back_office/staff/sign_in_locks_controller')
const StaffExports = () => import('#back_office/staff/staff_exports_controller')

// An id that PostgreSQL's integer can hold.
const ID = /^\d{1,9}$/

area(() => {
  router
    .get('/staff.csv', [StaffExports, 'index'])
    .as('staff.export')
    .use(middleware.ability('staff.read'))
  router
    .group(() => {
      router.get('/', [People, 'index']).as('index').use(middleware.savedViews('staff'))
      router.get('/rights', [Rights, 'index']).as('rights')
      router.get('/:id', [People, 'show']).as('show').where('id', ID)
    })
    .prefix('/staff')
    .as('staff')
    .use(middleware.ability('staff.read'))
  router
    .group(() => {
      router.get('/new', [People, 'create']).as('create')
      router.post('/', [People, 'store']).as('store')
      router
        .group(() => {
          router.put('/role', [Roles, 'update']).as('role')
          router.put('/standing', [Standings, 'update']).as('standing')
          router.post('/password', [Passwords, 'store']).as('password')
          router.delete('/second-factor', [SecondFactors, 'destroy']).as('second_factor')
          router.delete('/sign-in-lock', [SignInLocks, 'destroy']).as('sign_in_lock')
        })
        .prefix('/:id')
        .where('id', ID)
    })
    .prefix('/staff')
    .as('staff')
    .use(middleware.ability('staff.manage'))
})
