import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Languages = () => import('#back_office/languages/languages_controller')
const Overview = () => import('#back_office/overview/overview_controller')
const Sessions = () => import('#back_office/sessions/sessions_controller')

router
  .group(() => {
    router.get('/sign-in', [Sessions, 'create']).as('sign_in')
    router.post('/sign-in', [Sessions, 'store']).as('sign_in.store')
    router.put('/language', [Languages, 'update']).as('language')

    router
      .group(() => {
        router.post('/sign-out', [Sessions, 'destroy']).as('sign_out')
        router.get('/', [Overview, 'show']).as('overview').use(middleware.ability('overview.read'))
      })
      .use(middleware.signedIn())
  })
  .prefix('/back-office')
  .as('back_office')
  .use([
    middleware.bodyParser(),
    middleware.session(),
    middleware.shield(),
    middleware.auth(),
    middleware.pages(),
  ])
