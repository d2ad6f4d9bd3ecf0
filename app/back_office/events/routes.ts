import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Events = () => import('#back_office/events/events_controller')
const EventStatuses = () => import('#back_office/events/event_statuses_controller')
const EventTimes = () => import('#back_office/events/event_times_controller')
const Cancellations = () => import('#back_office/events/cancellations_controller')
const CancellationDecisions = () => import('#back_office/events/cancellation_decisions_controller')
const EventChoices = () => import('#back_office/events/event_choices_controller')
const EventExports = () => import('#back_office/events/event_exports_controller')

area(() => {
  const reading = () => middleware.ability('events.read')
  const managing = () => middleware.ability('events.manage')
  const cancelling = () => middleware.ability('events.cancel')

  router
    .get('/events', [Events, 'index'])
    .as('events')
    .use([reading(), middleware.savedViews('events')])
  router.get('/events.csv', [EventExports, 'index']).as('events.export').use(reading())
  router.get('/events/choices', [EventChoices, 'index']).as('events.choices').use(reading())
  router.get('/events/new', [Events, 'create']).as('events.new').use(managing())
  router.post('/events', [Events, 'store']).as('events.store').use(managing())
  router.get('/events/:id', [Events, 'show']).as('event').use(reading())
  router.get('/events/:id/edit', [Events, 'edit']).as('event.edit').use(managing())
  router.put('/events/:id', [Events, 'update']).as('event.update').use(managing())
  router.put('/events/:id/status', [EventStatuses, 'update']).as('event.status').use(managing())
  router.put('/events/:id/times', [EventTimes, 'update']).as('event.times').use(managing())
  router
    .post('/events/:id/cancellation', [Cancellations, 'store'])
    .as('event.cancellation')
    .use(cancelling())
  router
    .post('/cancellation-requests/:request/approval', [CancellationDecisions, 'store'])
    .as('cancellation_request.approve')
    .use(cancelling())
  router
    .post('/cancellation-requests/:request/refusal', [CancellationDecisions, 'destroy'])
    .as('cancellation_request.decline')
    .use(cancelling())
})
