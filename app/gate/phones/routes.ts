import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Gate = () => import('#gate/phones/gate_controller')
const GateLists = () => import('#gate/phones/gate_lists_controller')
const GateScans = () => import('#gate/phones/gate_scans_controller')

area(() => {
  const scanning = () => middleware.ability('gate.scan')

  router.get('/gate', [Gate, 'show']).as('gate').use(scanning())
  router.get('/gate/lists/:event', [GateLists, 'show']).as('gate.list').use(scanning())
  router.post('/gate/scans', [GateScans, 'store']).as('gate.scans').use(scanning())
})
