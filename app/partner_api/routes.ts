import { middleware } from '#start/kernel'
import { OPERATIONS, PREFIX } from '#partner_api/operations'
import router from '@adonisjs/core/services/router'

const EventKeys = () => import('#partner_api/events/event_keys_controller')
const Fallbacks = () => import('#partner_api/fallbacks_controller')
const OpenapiDocuments = () => import('#partner_api/reference/openapi_documents_controller')

router
  .group(() => {
    router.get('/openapi.json', [OpenapiDocuments, 'show']).as('openapi')
    router.get('/events/:event_id/jwks.json', [EventKeys, 'index']).as('event_keys')
  })
  .prefix(PREFIX)
  .as('partner_api.public')

router
  .group(() => {
    for (const [method, pattern, [controller, action]] of OPERATIONS) {
      router.route(pattern, [method], [controller, action] as never).as(`${method} ${pattern}`)
    }
    router.any('/*', [Fallbacks, 'handle']).as('fallback')
  })
  .prefix(PREFIX)
  .as('partner_api')
  .use(middleware.signedRequest())
