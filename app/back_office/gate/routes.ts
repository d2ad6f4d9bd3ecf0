import { area } from '#back_office/shell/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Gate = () => import('#back_office/gate/gate_controller')
const GateLists = () => import('#back_office/gate/gate_lists_controller')
const GateScans = () => import('#back_office/gate/gate_scans_controller')
const GateDevices = () => import('#back_office/gate/gate_devices_controller')

area(() => {
  router.get('/gate', [Gate, 'show']).as('gate').use(middleware.ability('gate.scan'))
  router
    .get('/gate/lists/:event', [GateLists, 'show'])
    .as('gate.list')
    .use(middleware.ability('gate.scan'))
  router
    .post('/gate/scans', [GateScans, 'store'])
    .as('gate.scans')
    .use(middleware.ability('gate.scan'))
  router
    .get('/gate-devices', [GateDevices, 'index'])
    .as('gate_devices')
    .use(middleware.ability('gate.manage'))
  router
    .post('/gate-devices', [GateDevices, 'store'])
    .as('gate_devices.store')
    .use(middleware.ability('gate.manage'))
  router
    .post('/gate-devices/:id/revocations', [GateDevices, 'destroy'])
    .where('id', /^\d{1,9}$/)
    .as('gate_devices.revoke')
    .use(middleware.ability('gate.manage'))
})
