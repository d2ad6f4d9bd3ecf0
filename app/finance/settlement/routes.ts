import { area } from '#staff_area/area'
import { middleware } from '#start/kernel'
import router from '@adonisjs/core/services/router'

const Accounts = () => import('#finance/settlement/accounts_controller')
const AccountExports = () => import('#finance/settlement/account_exports_controller')
const Terms = () => import('#finance/settlement/terms_controller')
const Statements = () => import('#finance/settlement/statements_controller')
const StatementPdfs = () => import('#finance/settlement/statement_pdfs_controller')
const Withdrawals = () => import('#finance/settlement/statement_withdrawals_controller')
const Memos = () => import('#finance/settlement/memos_controller')
const Requests = () => import('#finance/settlement/requests_controller')
const Issuers = () => import('#finance/settlement/issuers_controller')
const Allocations = () => import('#finance/settlement/allocations_controller')
const Payments = () => import('#finance/settlement/payments_controller')

area(() => {
  const reading = () => middleware.ability('settlement.read')
  const managing = () => middleware.ability('settlement.manage')

  router.get('/settlement', [Accounts, 'index']).as('settlement').use(reading())
  router.get('/settlement.csv', [AccountExports, 'index']).as('settlement.export').use(reading())
  router.get('/settlement/:code', [Accounts, 'show']).as('settlement.account').use(reading())
  router.post('/settlement/:code/terms', [Terms, 'store']).as('settlement.terms').use(managing())
  router
    .delete('/settlement/:code/terms/:id', [Terms, 'destroy'])
    .as('settlement.terms.withdraw')
    .use(managing())
  router
    .post('/settlement/:code/statements', [Statements, 'store'])
    .as('settlement.issue')
    .use(managing())
  router.post('/settlement/:code/memos', [Memos, 'store']).as('settlement.memo').use(managing())
  router
    .post('/settlement/:code/payments', [Payments, 'store'])
    .as('settlement.payment')
    .use(managing())
  router
    .post('/settlement/:code/allocations', [Allocations, 'store'])
    .as('settlement.allocate')
    .use(managing())
  router
    .delete('/settlement/:code/allocations/:id', [Allocations, 'destroy'])
    .as('settlement.allocation.undo')
    .use(managing())
  router.post('/payments/:id/reversal', [Payments, 'reverse']).as('payment.reverse').use(managing())
  router.post('/memos/:id/reversal', [Memos, 'reverse']).as('memo.reverse').use(managing())
  router.get('/statements/:id', [Statements, 'show']).as('statement').use(reading())
  router.get('/statements/:id/pdf', [StatementPdfs, 'show']).as('statement.pdf').use(reading())
  router
    .put('/statements/:id/status', [Statements, 'update'])
    .as('statement.status')
    .use(managing())
  router
    .post('/statements/:id/withdrawal', [Withdrawals, 'store'])
    .as('statement.withdraw')
    .use(managing())
  router
    .post('/settlement-requests/:id/approval', [Requests, 'approve'])
    .as('settlement_request.approve')
    .use(managing())
  router
    .post('/settlement-requests/:id/refusal', [Requests, 'decline'])
    .as('settlement_request.decline')
    .use(managing())
  router.get('/issuer', [Issuers, 'show']).as('issuer').use(reading())
  router.post('/issuer', [Issuers, 'store']).as('issuer.set').use(managing())
  router.post('/memos/:id/approval', [Memos, 'approve']).as('memo.approve').use(managing())
  router.post('/memos/:id/refusal', [Memos, 'decline']).as('memo.decline').use(managing())
})
