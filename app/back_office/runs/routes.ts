import { area } from '#back_office/shell/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Runs = () => import('#back_office/runs/runs_controller')
const Workbooks = () => import('#back_office/runs/workbooks_controller')
const RunFiles = () => import('#back_office/runs/run_files_controller')

area(() => {
  const reading = () => middleware.ability('settlement.read')

  router.get('/runs', [Runs, 'index']).as('runs').use(reading())
  router.get('/runs/:id', [Runs, 'show']).as('run').use(reading())
  router.post('/runs/:id/cancellation', [Runs, 'cancel']).as('run.cancel').use(reading())
  router.get('/runs/:id/files/:name', [RunFiles, 'show']).as('run.file').use(reading())
  router
    .post('/settlement/:code/workbooks', [Workbooks, 'store'])
    .as('settlement.workbook')
    .use(reading())
})
