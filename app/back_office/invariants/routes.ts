import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Invariants = () => import('#back_office/invariants/invariants_controller')
const InvariantRuns = () => import('#back_office/invariants/invariant_runs_controller')

area(() => {
  router
    .get('/invariants', [Invariants, 'index'])
    .as('invariants')
    .use(middleware.ability('invariants.read'))
  router
    .post('/invariants/runs', [InvariantRuns, 'storeAll'])
    .as('invariants.run')
    .use(middleware.ability('invariants.run'))
  router
    .post('/invariants/:name/runs', [InvariantRuns, 'store'])
    .as('invariant.run')
    .use(middleware.ability('invariants.run'))
})
