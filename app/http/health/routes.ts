import router from '@adonisjs/core/services/router'

const Health = () => import('#http/health/health_controller')
const Metrics = () => import('#http/health/metrics_controller')

router.get('/health/live', [Health, 'live']).as('health.live')
router.get('/health/ready', [Health, 'ready']).as('health.ready')
router.get('/metrics', [Metrics, 'show']).as('health.metrics')
