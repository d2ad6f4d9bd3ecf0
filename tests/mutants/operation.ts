import type { Mutant } from '../../dev/mutation/mutant.ts'

export default [
  {
    name: 'a live deployment can be wiped',
    file: 'app/console/live_refusals.ts',
    find: "if (env.get('DEPLOYMENT') === 'live') throw",
    replace: 'if (!env) throw',
    specs: ['tests/functional/console/live_refusals.spec.ts'],
  },
] satisfies Mutant[]
