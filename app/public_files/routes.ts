import router from '@adonisjs/core/services/router'

const Assets = () => import('#public_files/assets_controller')
const HallPlans = () => import('#public_files/hall_plans_controller')
const TicketPdfs = () => import('#public_files/ticket_pdfs_controller')

router.get('/plans/:digest.svg', [HallPlans, 'show']).as('hall_plan')
router.get('/tickets/:file', [TicketPdfs, 'show']).as('ticket_pdf')
router.get('/assets/:file', [Assets, 'show']).as('asset')
