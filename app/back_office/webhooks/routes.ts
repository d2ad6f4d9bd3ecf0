import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Webhooks = () => import('#back_office/webhooks/webhooks_controller')
const Deliveries = () => import('#back_office/webhooks/deliveries_controller')
const DeliveryExports = () => import('#back_office/webhooks/delivery_exports_controller')

area(() => {
  router
    .get('/webhooks', [Webhooks, 'index'])
    .as('webhooks')
    .use([middleware.ability('webhooks.read'), middleware.savedViews('webhooks')])
  router
    .get('/webhooks.csv', [DeliveryExports, 'index'])
    .as('webhooks.export')
    .use(middleware.ability('webhooks.read'))
  router
    .post('/webhooks/:partner/ping', [Webhooks, 'ping'])
    .as('webhook.ping')
    .use(middleware.ability('webhooks.manage'))
  router
    .post('/webhooks/:partner/replay', [Webhooks, 'replay'])
    .as('webhook.replay')
    .use(middleware.ability('webhooks.manage'))
  router
    .get('/webhooks/deliveries/:id', [Deliveries, 'show'])
    .as('delivery')
    .use(middleware.ability('webhooks.read'))
  router
    .post('/webhooks/deliveries/:id/push', [Deliveries, 'push'])
    .as('delivery.push')
    .use(middleware.ability('webhooks.manage'))
})
