import { openArea, ownArea } from '#back_office/shell/area'
import router from '@adonisjs/core/services/router'

const Languages = () => import('#back_office/languages/languages_controller')
const SignInCodes = () => import('#back_office/sessions/sign_in_codes_controller')
const Sessions = () => import('#back_office/sessions/sessions_controller')

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
