import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Cases = () => import('#finance/cases/cases_controller')
const CaseExports = () => import('#finance/cases/case_exports_controller')
const CaseNotes = () => import('#finance/cases/case_notes_controller')
const CasePenalties = () => import('#finance/cases/case_penalties_controller')
const CaseOwners = () => import('#finance/cases/case_owners_controller')
const Returns = () => import('#finance/cases/returns_controller')
const CaseChecks = () => import('#finance/cases/case_checks_controller')

area(() => {
  const reading = () => middleware.ability('settlement.read')
  const managing = () => middleware.ability('settlement.manage')
  /** Whoever answers buyers sees what has to go back to them, and works on it. */
  const answering = () => middleware.ability('cases.read')
  const taking = () => middleware.ability('cases.take')

  router
    .get('/cases', [Cases, 'index'])
    .as('cases')
    .use([reading(), middleware.savedViews('cases')])
  router.get('/cases.csv', [CaseExports, 'index']).as('cases.export').use(reading())
  router.put('/cases', [Cases, 'updateMany']).as('cases.change').use(managing())
  router
    .get('/returns', [Returns, 'index'])
    .as('returns')
    .use([answering(), middleware.savedViews('returns')])
  router.get('/cases/:id', [Cases, 'show']).as('case').use(answering())
  router.put('/cases/:id/owner', [CaseOwners, 'update']).as('case.owner').use(taking())
  router.put('/cases/:id', [Cases, 'update']).as('case.change').use(managing())
  router.post('/cases/:id/notes', [CaseNotes, 'store']).as('case.note').use(taking())
  router.post('/cases/:id/penalty', [CasePenalties, 'store']).as('case.penalty').use(managing())
  router.post('/settlement/:code/checks', [CaseChecks, 'store']).as('case.check').use(managing())
})
