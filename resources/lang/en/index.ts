import common from './back_office.json'
import jobs from './jobs.json'
import orders from './orders.json'
import webhooks from './webhooks.json'

export default { ...common, jobs, orders, webhooks }
import gate from './gate.json'
import orders from './orders.json'
import webhooks from './webhooks.json'

export default { ...common, gate, orders, webhooks }
