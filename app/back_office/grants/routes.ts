import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Grants = () => import('#back_office/grants/grants_controller')

area(() => {
  router.get('/grants', [Grants, 'index']).as('grants').use(middleware.ability('partners.read'))
  router
    .put('/grants', [Grants, 'update'])
    .as('grants.change')
    .use(middleware.ability('grants.manage'))
})
