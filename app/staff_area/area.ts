import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const stack = () => [
  middleware.bodyParser(),
  middleware.storableText(),
  middleware.session(),
  middleware.shield(),
  middleware.auth(),
  middleware.pages(),
]

const groupRoutes = (define: () => void) =>
  router.group(define).prefix('/back-office').as('back_office')

/** Routes without sign-in. */
export const openArea = (define: () => void) => groupRoutes(define).use(stack())

/** Routes about the signed-in person's own account; each names the setup step that it serves. */
export const ownArea = (define: () => void) =>
  groupRoutes(define).use([...stack(), middleware.signedIn()])

/** Routes for signed-in people whose account is set up; each names the ability that it needs. */
export const area = (define: () => void) =>
  groupRoutes(define).use([...stack(), middleware.signedIn(), middleware.accountSetup()])
