import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Registers = () => import('#finance/registers/registers_controller')
const Mappings = () => import('#finance/registers/register_mappings_controller')
const Matches = () => import('#finance/registers/register_matches_controller')
const Parts = () => import('#finance/registers/register_parts_controller')
const Sources = () => import('#finance/registers/register_sources_controller')
const FeeRules = () => import('#finance/registers/register_fee_rules_controller')
const Confirmations = () => import('#finance/registers/register_confirmations_controller')

area(() => {
  const reading = () => middleware.ability('settlement.read')
  const managing = () => middleware.ability('settlement.manage')

  router
    .get('/settlement/:code/registers', [Registers, 'index'])
    .as('registers')
    .use([reading(), middleware.savedViews('registers')])
  router
    .post('/settlement/:code/registers', [Registers, 'store'])
    .as('registers.store')
    .use(managing())
  router.get('/registers/:id.csv', [Matches, 'index']).as('register.export').use(reading())
  router.get('/registers/:id', [Registers, 'show']).as('register').use(reading())
  router.delete('/registers/:id', [Registers, 'destroy']).as('register.drop').use(managing())
  router.get('/registers/:id/mapping', [Mappings, 'show']).as('register.mapping').use(reading())
  router
    .put('/registers/:id/mapping', [Mappings, 'update'])
    .as('register.mapping.set')
    .use(managing())
  router.put('/registers/:id/look', [Mappings, 'look']).as('register.look').use(managing())
  router.post('/registers/:id/parts', [Parts, 'store']).as('register.parts').use(managing())
  router
    .delete('/registers/:id/parts/:number', [Parts, 'destroy'])
    .as('register.part')
    .use(managing())
  router.post('/registers/:id/sheets', [Parts, 'addSheets']).as('register.sheets').use(managing())
  router
    .post('/registers/:id/left-out-sheets', [Parts, 'leaveOut'])
    .as('register.left_out_sheets')
    .use(managing())
  router.put('/registers/:id/source', [Sources, 'choose']).as('register.source').use(managing())
  router.put('/registers/:id/words', [Sources, 'learn']).as('register.words').use(managing())
  router
    .put('/registers/:id/fee-rules', [FeeRules, 'update'])
    .as('register.fee_rule')
    .use(managing())
  router.put('/registers/:id/setup', [Sources, 'setUp']).as('register.setup').use(managing())
  router.post('/registers/:id/matches', [Matches, 'store']).as('register.match').use(managing())
  router.put('/registers/:id/matches', [Matches, 'update']).as('register.decide').use(managing())
  router
    .post('/registers/:id/confirmation', [Confirmations, 'store'])
    .as('register.confirm')
    .use(managing())
})
