import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Find = () => import('#back_office/find/find_controller')

area(() => {
  router.get('/find', [Find, 'show']).as('find').use(middleware.ability('overview.read'))
})
