import app from '@adonisjs/core/services/app'
import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

server.errorHandler(() => import('#exceptions/handler'))
server.use([() => import('#middleware/request_trace_middleware')])
// A build serves its assets by a route; only Vite's development server has to see every request.
if (!app.inProduction) server.use([() => import('@adonisjs/vite/vite_middleware')])

/** Each door has its own small stack; none of it is global. */
export const middleware = router.named({
  signedRequest: () => import('#partner_api/middleware/signed_request_middleware'),
  gateDevice: () => import('#gate/middleware/gate_device_middleware'),
  pagePolicy: () => import('#middleware/page_policy_middleware'),

  bodyParser: () => import('@adonisjs/core/bodyparser_middleware'),
  storableText: () => import('#back_office/middleware/storable_text_middleware'),
  session: () => import('@adonisjs/session/session_middleware'),
  shield: () => import('@adonisjs/shield/shield_middleware'),
  auth: () => import('@adonisjs/auth/initialize_auth_middleware'),
  pages: () => import('#back_office/middleware/pages_middleware'),
  signedIn: () => import('#back_office/middleware/signed_in_middleware'),
  settled: () => import('#back_office/middleware/settled_middleware'),
  ability: () => import('#back_office/middleware/ability_middleware'),
})
