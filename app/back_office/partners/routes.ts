import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Partners = () => import('#back_office/partners/partners_controller')
const PartnerStatus = () => import('#back_office/partners/partner_status_controller')
const PartnerKeys = () => import('#back_office/partners/partner_keys_controller')
const PartnerEndpoint = () => import('#back_office/partners/partner_endpoint_controller')
const PartnerExports = () => import('#back_office/partners/partner_exports_controller')

area(() => {
  const mayRead = () => middleware.ability('partners.read')
  const mayManage = () => middleware.ability('partners.manage')

  router
    .get('/partners', [Partners, 'index'])
    .as('partners')
    .use([mayRead(), middleware.savedViews('partners')])
  router.get('/partners.csv', [PartnerExports, 'index']).as('partners.export').use(mayRead())
  router.get('/partners/:code', [Partners, 'show']).as('partner').use(mayRead())
  router.post('/partners', [Partners, 'store']).as('partner.create').use(mayManage())
  router.put('/partners/:code', [Partners, 'update']).as('partner.change').use(mayManage())
  router
    .put('/partners/:code/addresses', [Partners, 'addresses'])
    .as('partner.addresses')
    .use(mayManage())
  router
    .put('/partners/:code/status', [PartnerStatus, 'update'])
    .as('partner.status')
    .use(mayManage())
  router
    .put('/partners/:code/endpoint', [PartnerEndpoint, 'update'])
    .as('partner.endpoint')
    .use(mayManage())
  router.post('/partners/:code/keys', [PartnerKeys, 'store']).as('partner.key').use(mayManage())
  router
    .post('/partners/:code/keys/:key/rotation', [PartnerKeys, 'rotate'])
    .as('partner.key.rotate')
    .use(mayManage())
  router
    .delete('/partners/:code/keys/:key', [PartnerKeys, 'destroy'])
    .as('partner.key.revoke')
    .use(mayManage())
})
