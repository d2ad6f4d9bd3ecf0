import { middleware } from '#start/kernel'
import { OPERATIONS, PUBLIC_READS } from '#partner_api/operations'
import { PREFIX } from '#partner_api/prefix'
import router from '@adonisjs/core/services/router'
import { METHODS } from 'node:http'

// The generated route types can't name a method with a dash (M-SEARCH).
const ANY_METHOD = METHODS.filter((method) => !method.includes('-'))

const Fallbacks = () => import('#partner_api/fallbacks_controller')

router
  .group(() => {
    for (const [name, method, pattern, [controller, action]] of PUBLIC_READS) {
      router.route(pattern, [method, 'HEAD'], [controller, action] as never).as(name)
    }
  })
  .prefix(PREFIX)
  .as('partner_api.public')

router
  .group(() => {
    for (const [name, method, pattern, [controller, action]] of OPERATIONS) {
      router.route(pattern, [method], [controller, action] as never).as(name)
    }
    router.route('/', ANY_METHOD, [Fallbacks, 'handle']).as('root')
    router.route('/*', ANY_METHOD, [Fallbacks, 'handle']).as('fallback')
  })
  .prefix(PREFIX)
  .as('partner_api')
  .use(middleware.signedRequest())
