import app from '@adonisjs/core/services/app'
import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

server.errorHandler(() => import('#http/errors/handler'))
server.use([() => import('#http/middleware/request_trace_middleware')])
// A build serves its assets by a route; Vite's development server is a middleware for every request.
if (!app.inProduction) server.use([() => import('@adonisjs/vite/vite_middleware')])

/** Each group of routes names its own middleware; none of it is global. */
export const middleware = router.named({
  signedRequest: () => import('#partner_api/middleware/signed_request_middleware'),
  gateDevice: () => import('#gate/devices/middleware/gate_device_middleware'),
  pagePolicy: () => import('#http/middleware/page_policy_middleware'),

  bodyParser: () => import('@adonisjs/core/bodyparser_middleware'),
  smallBodyParser: () => import('#staff_area/middleware/small_body_parser_middleware'),
  storableText: () => import('#staff_area/middleware/storable_text_middleware'),
  session: () => import('@adonisjs/session/session_middleware'),
  fetched: () => import('#staff_area/middleware/fetched_middleware'),
  shield: () => import('@adonisjs/shield/shield_middleware'),
  auth: () => import('@adonisjs/auth/initialize_auth_middleware'),
  pages: () => import('#staff_area/middleware/pages_middleware'),
  signedIn: () => import('#staff_area/middleware/signed_in_middleware'),
  accountSetup: () => import('#staff_area/middleware/account_setup_middleware'),
  ability: () => import('#staff_area/middleware/ability_middleware'),
  savedViews: () => import('#staff_area/middleware/saved_views_middleware'),
})
