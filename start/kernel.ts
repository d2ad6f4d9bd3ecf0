import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

server.errorHandler(() => import('#exceptions/handler'))
server.use([() => import('#middleware/request_trace_middleware')])

/** Each door has its own small stack; none of it is global. */
export const middleware = router.named({
  signedRequest: () => import('#partner_api/middleware/signed_request_middleware'),
  gateDevice: () => import('#gate/middleware/gate_device_middleware'),
})
