import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Cases = () => import('#finance/cases/cases_controller')
const CaseExports = () => import('#finance/cases/case_exports_controller')
const CaseNotes = () => import('#finance/cases/case_notes_controller')
const CasePenalties = () => import('#finance/cases/case_penalties_controller')
const CaseChecks = () => import('#finance/cases/case_checks_controller')

area(() => {
  const reading = () => middleware.ability('settlement.read')
  const managing = () => middleware.ability('settlement.manage')

  router.get('/cases', [Cases, 'index']).as('cases').use(reading())
  router.get('/cases.csv', [CaseExports, 'index']).as('cases.export').use(reading())
  router.put('/cases', [Cases, 'updateMany']).as('cases.change').use(managing())
  router.get('/cases/:id', [Cases, 'show']).as('case').use(reading())
  router.put('/cases/:id', [Cases, 'update']).as('case.change').use(managing())
  router.post('/cases/:id/notes', [CaseNotes, 'store']).as('case.note').use(managing())
  router.post('/cases/:id/penalty', [CasePenalties, 'store']).as('case.penalty').use(managing())
  router.post('/settlement/:code/checks', [CaseChecks, 'store']).as('case.check').use(managing())
})
