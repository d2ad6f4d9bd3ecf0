import '#back_office/sessions/routes'
import '#back_office/overview/routes'
import '#back_office/orders/routes'
import '#back_office/webhooks/routes'
