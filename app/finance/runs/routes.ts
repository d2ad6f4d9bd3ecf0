import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Runs = () => import('#finance/runs/runs_controller')
const Workbooks = () => import('#finance/runs/workbooks_controller')
const Uploads = () => import('#finance/runs/uploads_controller')
const RunFiles = () => import('#finance/runs/run_files_controller')

area(() => {
  const reading = () => middleware.ability('settlement.read')
  const exporting = () => middleware.ability('settlement.export')
  const managing = () => middleware.ability('settlement.manage')

  router
    .get('/runs', [Runs, 'index'])
    .as('runs')
    .use([reading(), middleware.savedViews('runs')])
  router.post('/runs/file-checks', [Uploads, 'check']).as('runs.check_file').use(exporting())
  router.get('/runs/:id', [Runs, 'show']).as('run').use(reading())
  router.post('/runs/:id/cancellation', [Runs, 'cancel']).as('run.cancel').use(exporting())
  router.get('/runs/:id/files/:name', [RunFiles, 'show']).as('run.file').use(reading())
  router
    .post('/settlement/:code/workbooks', [Workbooks, 'store'])
    .as('settlement.workbook')
    .use(exporting())
  router
    .post('/settlement/:code/answers', [Uploads, 'answers'])
    .as('settlement.answers')
    .use(managing())
  router.post('/runs/:id/answers', [Uploads, 'take']).as('run.answers').use(managing())
})
