import { area, openArea } from '#back_office/shell/area'
import router from '@adonisjs/core/services/router'

const Languages = () => import('#back_office/languages/languages_controller')
const Sessions = () => import('#back_office/sessions/sessions_controller')

openArea(() => {
  router.get('/sign-in', [Sessions, 'create']).as('sign_in')
  router.post('/sign-in', [Sessions, 'store']).as('sign_in.store')
  router.put('/language', [Languages, 'update']).as('language')
})

area(() => {
  router.post('/sign-out', [Sessions, 'destroy']).as('sign_out')
})
