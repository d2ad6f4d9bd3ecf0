import type { Mutant } from '../../dev/mutation/mutant.ts'

export default [
  {
    name: 'what a guest has used is owed to the buyer',
    file: 'app/defects/balance/balance.ts',
    find: 'atLeastNothing(open - usedVoidTenge - notYetDueTenge)',
    replace: 'atLeastNothing(open - notYetDueTenge)',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
  {
    name: 'a return on the day before its charge is impossible',
    file: 'app/defects/balance/balance.ts',
    find: 'at >= firstAt - DAY_MS',
    replace: 'at >= firstAt',
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
    find: 'return lesser(sumOf(own), notYetDueTenge)',
    replace: 'return sumOf(own)',
    specs: ['tests/unit/defects/balance.spec.ts'],
  },
] satisfies Mutant[]
