import { openArea, ownArea } from '#staff_area/area'
import router from '@adonisjs/core/services/router'

const Languages = () => import('#staff_area/languages_controller')
const SignInCodes = () => import('#staff_area/sign_in/sign_in_codes_controller')
const Sessions = () => import('#staff_area/sign_in/sessions_controller')

openArea(() => {
  router.get('/sign-in', [Sessions, 'create']).as('sign_in')
  router.post('/sign-in', [Sessions, 'store']).as('sign_in.store')
  router.get('/sign-in/code', [SignInCodes, 'create']).as('sign_in.code')
  router.post('/sign-in/code', [SignInCodes, 'store']).as('sign_in.code.store')
  router.put('/language', [Languages, 'update']).as('language')
})

ownArea(() => {
  router.post('/sign-out', [Sessions, 'destroy']).as('sign_out')
})
