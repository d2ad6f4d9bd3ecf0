import { area } from '#staff_area/area'
import { refuse } from '#shared/refusals'
import router from '@adonisjs/core/services/router'

// Registered last: unknown addresses get an error page inside the back office, with its menu.
area(() => {
  router.get('/*', () => refuse('NO_SUCH', { what: 'page' })).as('nowhere')
})
