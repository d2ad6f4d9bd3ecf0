import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Examples = () => import('#partner_api/reference/examples_controller')
const Guides = () => import('#partner_api/reference/guides_controller')
const Landings = () => import('#partner_api/reference/landings_controller')
const References = () => import('#partner_api/reference/references_controller')

router.get('/', [Landings, 'show']).as('landing').use(middleware.pagePolicy())

router
  .group(() => {
    router.get('/', [References, 'show']).as('show').use(middleware.pagePolicy())
    router.get('/guide', [Guides, 'show']).as('guide').use(middleware.pagePolicy())
    router.get('/check_vector.json', [Examples, 'checkVector']).as('check_vector')
    router.get('/qr_check_vector.json', [Examples, 'qrCheckVector']).as('qr_check_vector')
    router.get('/examples/:file', [Examples, 'show']).as('example')
  })
  .prefix('/docs')
  .as('reference')
