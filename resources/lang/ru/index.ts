import common from './back_office.json'
import orders from './orders.json'
import webhooks from './webhooks.json'

export default { ...common, orders, webhooks }
