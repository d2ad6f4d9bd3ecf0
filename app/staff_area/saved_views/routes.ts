import { area } from '#staff_area/area'
import router from '@adonisjs/core/services/router'

const SavedViews = () => import('#staff_area/saved_views/saved_views_controller')

area(() => {
  router.post('/saved-views', [SavedViews, 'store']).as('saved_views.store')
  router.put('/saved-views/:id', [SavedViews, 'update']).as('saved_view.change')
  router.delete('/saved-views/:id', [SavedViews, 'destroy']).as('saved_view.delete')
  router.put('/default-views/:list', [SavedViews, 'open']).as('default_view')
})
