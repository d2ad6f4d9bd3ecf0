import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const SeatPlans = () => import('#back_office/seat_plan/seat_plans_controller')
const PlanSeats = () => import('#back_office/seat_plan/plan_seats_controller')
const SeatChanges = () => import('#back_office/seat_plan/seat_changes_controller')
const SeatBlocks = () => import('#back_office/seat_plan/seat_blocks_controller')
const Carts = () => import('#back_office/seat_plan/carts_controller')
const CartSales = () => import('#back_office/seat_plan/cart_sales_controller')

area(() => {
  const toRead = () => middleware.ability('events.read')
  const toChange = () => middleware.ability('seats.manage')
  router.get('/events/:id/plan', [SeatPlans, 'show']).as('seat_plan').use(toRead())
  router.get('/events/:id/plan/seats', [PlanSeats, 'index']).as('seat_plan.seats').use(toRead())
  router
    .get('/events/:id/plan/seats/:space', [PlanSeats, 'show'])
    .as('seat_plan.seat')
    .use(toRead())
  router
    .get('/events/:id/plan/changes', [SeatChanges, 'index'])
    .as('seat_plan.changes')
    .use(toRead())
  router
    .post('/events/:id/plan/blocks', [SeatBlocks, 'store'])
    .as('seat_plan.block')
    .use(toChange())
  router
    .delete('/events/:id/plan/blocks', [SeatBlocks, 'destroy'])
    .as('seat_plan.unblock')
    .use(toChange())
  router.get('/events/:id/plan/carts', [Carts, 'index']).as('seat_plan.carts').use(toRead())
  router.post('/events/:id/plan/carts', [Carts, 'store']).as('seat_plan.hold').use(toChange())
  router
    .delete('/events/:id/plan/carts/:cart', [Carts, 'destroy'])
    .as('seat_plan.release')
    .use(toChange())
  router
    .post('/events/:id/plan/carts/:cart/sales', [CartSales, 'store'])
    .as('seat_plan.sell')
    .use(toChange())
})
