import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Rules = () => import('#finance/rules/rules_controller')
const RuleComparisons = () => import('#finance/rules/rule_comparisons_controller')

area(() => {
  const managing = () => middleware.ability('settlement.manage')

  router.get('/rules', [Rules, 'index']).as('rules').use(middleware.ability('settlement.read'))
  router.put('/rules/:id', [Rules, 'activate']).as('rules.activate').use(managing())
  router
    .post('/rules/:id/comparisons', [RuleComparisons, 'store'])
    .as('rules.compare')
    .use(managing())
})
