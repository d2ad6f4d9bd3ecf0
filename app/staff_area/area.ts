import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

/** Who asks, and whether the form is ours: judged by headers alone, so that a stranger's body is never read. */
const identity = () => [
  middleware.session(),
  middleware.fetched(),
  middleware.shield(),
  middleware.auth(),
  middleware.pages(),
]
const form = () => [middleware.bodyParser(), middleware.storableText()]
const strangersForm = () => [middleware.smallBodyParser(), middleware.storableText()]

const groupRoutes = (define: () => void) =>
  router.group(define).prefix('/back-office').as('back_office')

/** Routes without sign-in. */
export const openArea = (define: () => void) =>
  groupRoutes(define).use([...identity(), ...strangersForm()])

/** Routes about the signed-in person's own account; each names the setup step that it serves. */
export const ownArea = (define: () => void) =>
  groupRoutes(define).use([...identity(), middleware.signedIn(), ...form()])

/** Routes for signed-in people whose account is set up; each names the ability that it needs. */
export const area = (define: () => void) =>
  groupRoutes(define).use([
    ...identity(),
    middleware.signedIn(),
    middleware.accountSetup(),
    ...form(),
  ])
