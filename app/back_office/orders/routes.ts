import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Orders = () => import('#back_office/orders/orders_controller')
const OrderExports = () => import('#back_office/orders/order_exports_controller')
const OrdersTotal = () => import('#back_office/orders/orders_total_controller')
const OrderVoids = () => import('#back_office/orders/order_voids_controller')
const BuyerErasures = () => import('#back_office/orders/buyer_erasures_controller')

area(() => {
  router
    .get('/orders', [Orders, 'index'])
    .as('orders')
    .use([middleware.ability('orders.read'), middleware.savedViews('orders')])
  router
    .get('/orders.csv', [OrderExports, 'index'])
    .as('orders.export')
    .use(middleware.ability('orders.read'))
  router
    .get('/orders/total', [OrdersTotal, 'show'])
    .as('orders.total')
    .use(middleware.ability('orders.read'))
  router.get('/orders/:id', [Orders, 'show']).as('order').use(middleware.ability('orders.read'))
  router
    .post('/orders/:id/voids', [OrderVoids, 'store'])
    .as('order.void')
    .use(middleware.ability('orders.refund'))
  router
    .post('/orders/:id/buyer-erasures', [BuyerErasures, 'store'])
    .as('order.erase_buyer')
    .use(middleware.ability('buyers.erase'))
})
