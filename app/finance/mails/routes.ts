import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Contacts = () => import('#finance/mails/contacts_controller')
const StatementMails = () => import('#finance/mails/statement_mails_controller')

area(() => {
  const managing = () => middleware.ability('settlement.manage')

  router
    .post('/settlement/:code/contacts', [Contacts, 'store'])
    .as('settlement.contact')
    .use(managing())
  router.put('/contacts/:id', [Contacts, 'update']).as('contact.change').use(managing())
  router.delete('/contacts/:id', [Contacts, 'destroy']).as('contact.remove').use(managing())
  router
    .post('/statements/:id/mails', [StatementMails, 'store'])
    .as('statement.mail')
    .use(managing())
})
