import common from './back_office.json'
import gate from './gate.json'
import grants from './grants.json'
import jobs from './jobs.json'
import events from './events.json'
import orders from './orders.json'
import partners from './partners.json'
import plan from './plan.json'
import webhooks from './webhooks.json'

export default { ...common, gate, grants, jobs, orders, partners, plan, webhooks }
export default { ...common, events, orders, webhooks }
