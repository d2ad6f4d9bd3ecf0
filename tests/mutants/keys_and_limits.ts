import type { Mutant } from '../../dev/mutation/mutant.ts'

const limiters = ['tests/unit/shared/limiters.spec.ts']
const lostServices = ['tests/functional/races/lost_services.spec.ts']
const aborted = ['tests/functional/http/aborted_requests.spec.ts']
const authentication = ['tests/functional/partner_api/authentication.spec.ts']

export default [
  {
    name: 'a secret opens under any key',
    file: 'app/partners/api_key.ts',
    find: 'const purposeOf = (apiKey: string) => `partner-key:${apiKey}`',
    replace: "const purposeOf = (apiKey: string) => (apiKey ? 'partner-key' : '')",
    specs: authentication,
  },
  {
    name: 'a secret that was opened once opens under any key',
    file: 'app/partners/api_key.ts',
    find: 'const name = `${apiKey} ${encrypted}`',
    replace: 'const name = encrypted',
    specs: authentication,
  },
  {
    name: 'a request that was aborted before it was counted keeps its slot',
    file: 'app/http/exchange.ts',
    find: 'if (isOver(ctx)) act()\n  else ctx',
    replace: 'ctx',
    specs: aborted,
  },
  {
    name: 'a request whose answer is never sent keeps its slot',
    file: 'app/http/exchange.ts',
    find: "response.once('close', act)",
    replace: "response.once('finish', act)",
    specs: aborted,
  },
  {
    name: 'a minute has 60 buckets',
    file: 'app/shared/budget.ts',
    find: 'BUCKETS = 61',
    replace: 'BUCKETS = 60',
    specs: limiters,
  },
  {
    name: 'a minute has 60 buckets in Redis',
    file: 'app/shared/rate_limit.ts',
    find: 'local gone = sec - ${BUCKETS}',
    replace: 'local gone = sec - 60',
    specs: limiters,
  },
  {
    name: 'a minute has 60 buckets in the process',
    file: 'app/shared/memory_limiter.ts',
    find: 'if (old <= second - BUCKETS)',
    replace: 'if (old <= second - 60)',
    specs: limiters,
  },
  {
    name: 'slots of a dead process stay while requests come',
    file: 'app/shared/rate_limit.ts',
    find: "  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)\n",
    replace: '',
    specs: limiters,
  },
  {
    name: 'a slot stays in the process when Redis is lost during the request',
    file: 'app/shared/rate_limit.ts',
    find: '  inMemory.leave(budget, slot)\n',
    replace: '',
    specs: lostServices,
  },
  {
    name: 'the process does not know the slots that Redis gave',
    file: 'app/shared/rate_limit.ts',
    find: 'holdsSlot ? slot : null',
    replace: 'null',
    specs: lostServices,
  },
] satisfies Mutant[]
