import type { Mutant } from '../../dev/mutation/mutant.ts'

export default [
  {
    name: 'what went back of a payment that bought nothing is asked for as a return of tickets',
    file: 'app/defects/balance/acknowledged.ts',
    find: "atLeastZero(tengeOf('either') - leftOfNothing)",
    replace: "tengeOf('either')",
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
  {
    name: 'a payment that bought nothing pays for no ticket, although one is unpaid without it',
    file: 'app/defects/balance/acknowledged.ts',
    find: 'atLeastZero(requiredTenge - needed - ',
    replace: 'atLeastZero(requiredTenge - ',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
  {
    name: 'a payment number of a bank’s own is that of a confirm',
    file: 'app/register_evidence/shown_by_case.ts',
    find: '? idOfSource(paymentId, found.numberedBy)',
    replace: '? paymentId',
    specs: ['tests/functional/reconciliation/own_payment_ids.spec.ts'],
  },
  {
    name: 'what a guest has used is owed to the buyer',
    file: 'app/defects/balance/balance.ts',
    find: 'atLeastZero(openTenge - usedVoidTenge - notYetDueTenge)',
    replace: 'atLeastZero(openTenge - notYetDueTenge)',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
  {
    name: 'a return on the day before its charge is impossible',
    file: 'app/defects/balance/balance.ts',
    find: 'at < firstAt - DAY_MS',
    replace: 'at < firstAt',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
  {
    name: 'returns that are due count for what is not yet due',
    file: 'app/defects/balance/balance.ts',
    find: 'sumOf(returns) - ofOwnPayments - dueTenge',
    replace: 'sumOf(returns) - ofOwnPayments',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
  {
    name: 'a return counts beyond what is not yet due of its payment',
    file: 'app/defects/balance/balance.ts',
    find: 'return min(returned, sum(own.map(({ notYetDueTenge }) => notYetDueTenge)))',
    replace: 'return returned',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
] satisfies Mutant[]
