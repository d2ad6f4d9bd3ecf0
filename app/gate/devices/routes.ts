import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Scans = () => import('#gate/devices/scans_controller')

router
  .group(() => {
    router.post('/scans', [Scans, 'store']).as('scans')
  })
  .prefix('/api/v1/gate')
  .as('gate')
  .use(middleware.gateDevice())
