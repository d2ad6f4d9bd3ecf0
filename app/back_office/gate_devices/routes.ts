import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const GateDevices = () => import('#back_office/gate_devices/gate_devices_controller')

area(() => {
  const managing = () => middleware.ability('gate.manage')

  router.get('/gate-devices', [GateDevices, 'index']).as('gate_devices').use(managing())
  router.post('/gate-devices', [GateDevices, 'store']).as('gate_devices.store').use(managing())
  router
    .post('/gate-devices/:id/revocations', [GateDevices, 'destroy'])
    .where('id', /^\d{1,9}$/)
    .as('gate_devices.revoke')
    .use(managing())
})
