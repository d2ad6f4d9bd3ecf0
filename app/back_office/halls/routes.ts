import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Halls = () => import('#back_office/halls/halls_controller')

area(() => {
  const managing = () => middleware.ability('events.manage')

  router.get('/halls', [Halls, 'index']).as('halls').use(middleware.ability('events.read'))
  router.get('/halls/new', [Halls, 'create']).as('halls.new').use(managing())
  router.post('/halls/check', [Halls, 'check']).as('halls.check').use(managing())
  router.post('/halls', [Halls, 'store']).as('halls.store').use(managing())
})
