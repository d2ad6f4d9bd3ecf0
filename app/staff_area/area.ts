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

const within = (define: () => void) => router.group(define).prefix('/back-office').as('back_office')

/** Routes for anybody, before sign-in too. */
export const openArea = (define: () => void) => within(define).use(stack())

/** Routes about the person who is signed in; each says what it lets pass that is still to be done. */
export const ownArea = (define: () => void) =>
  within(define).use([...stack(), middleware.signedIn()])

/** Routes for who is signed in and has nothing to do first; each names the ability that it wants. */
export const area = (define: () => void) =>
  within(define).use([...stack(), middleware.signedIn(), middleware.settled()])
