import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Overview = () => import('#back_office/overview/overview_controller')

area(() => {
  router.get('/', [Overview, 'show']).as('overview').use(middleware.ability('overview.read'))
})
