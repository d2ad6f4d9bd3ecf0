import account from './account.json'
import common from './back_office.json'
import events from './events.json'
import gate from './gate.json'
import grants from './grants.json'
import jobs from './jobs.json'
import orders from './orders.json'
import partners from './partners.json'
import plan from './plan.json'
import webhooks from './webhooks.json'

export default { ...common, events, gate, grants, jobs, orders, partners, plan, webhooks }
import journalPage from './journal_page.json'
import orders from './orders.json'
import staff from './staff.json'
import webhooks from './webhooks.json'

export default { ...common, account, journal_page: journalPage, orders, staff, webhooks }
