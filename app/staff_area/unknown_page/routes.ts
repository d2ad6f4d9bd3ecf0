import { area } from '#staff_area/area'
import { refuse } from '#shared/refusals'
import router from '@adonisjs/core/services/router'

// After all others, so that an address that leads nowhere is told within the back office, with the way to its sections.
area(() => {
  router.get('/*', () => refuse('NO_SUCH', { what: 'page' })).as('nowhere')
})
