import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Jobs = () => import('#back_office/jobs/jobs_controller')

area(() => {
  router.get('/jobs', [Jobs, 'index']).as('jobs').use(middleware.ability('jobs.read'))
  router
    .post('/jobs/:queue/:id/retry', [Jobs, 'retry'])
    .as('job.retry')
    .use(middleware.ability('jobs.manage'))
})
