import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const stack = () => [
  middleware.bodyParser(),
  middleware.session(),
  middleware.shield(),
  middleware.auth(),
  middleware.pages(),
]

/** Routes for anybody, before sign-in too. */
export const openArea = (define: () => void) =>
  router.group(define).prefix('/back-office').as('back_office').use(stack())

/** Routes for who is signed in; each names the ability that it wants. */
export const area = (define: () => void) =>
  router
    .group(define)
    .prefix('/back-office')
    .as('back_office')
    .use([...stack(), middleware.signedIn()])
