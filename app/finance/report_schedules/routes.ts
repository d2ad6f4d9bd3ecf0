import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Schedules = () => import('#finance/report_schedules/schedules_controller')

area(() => {
  const managing = () => middleware.ability('settlement.manage')

  router
    .get('/report-schedules', [Schedules, 'index'])
    .as('report_schedules')
    .use(middleware.ability('settlement.read'))
  router
    .post('/report-schedules', [Schedules, 'store'])
    .as('report_schedule.create')
    .use(managing())
  router
    .put('/report-schedules/:id', [Schedules, 'change'])
    .as('report_schedule.change')
    .use(managing())
  router
    .put('/report-schedules/:id/standing', [Schedules, 'update'])
    .as('report_schedule.standing')
    .use(managing())
  router
    .post('/report-schedules/:id/runs', [Schedules, 'run'])
    .as('report_schedule.run')
    .use(managing())
  router
    .delete('/report-schedules/:id', [Schedules, 'destroy'])
    .as('report_schedule.remove')
    .use(managing())
})
