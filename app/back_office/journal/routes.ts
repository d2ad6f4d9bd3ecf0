import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Journal = () => import('#back_office/journal/journal_controller')
const JournalExports = () => import('#back_office/journal/journal_exports_controller')

area(() => {
  router
    .get('/journal', [Journal, 'index'])
    .as('journal')
    .use([middleware.ability('journal.read'), middleware.savedViews('journal')])
  router
    .get('/journal.csv', [JournalExports, 'index'])
    .as('journal.export')
    .use(middleware.ability('journal.read'))
})
