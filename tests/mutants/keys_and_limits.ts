import type { Mutant } from '../../dev/mutation/mutant.ts'

const limiters = ['tests/unit/shared/limiters.spec.ts']
const lostServices = ['tests/functional/races/lost_services.spec.ts']
const aborted = ['tests/functional/http/aborted_requests.spec.ts']
const authentication = ['tests/functional/partner_api/authentication.spec.ts']

const api = (...names: string[]) =>
  names.map((name) => `tests/functional/partner_api/${name}.spec.ts`)

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
  {
    name: 'a timestamp may be a second older',
    file: 'app/partner_api/middleware/authentication.ts',
    find: 'WINDOW_SECONDS = 300',
    replace: 'WINDOW_SECONDS = 303',
    specs: api('authentication'),
  },
  {
    name: 'a timestamp of five minutes is refused',
    file: 'app/partner_api/middleware/authentication.ts',
    find: 'skewSeconds <= WINDOW_SECONDS',
    replace: 'skewSeconds < WINDOW_SECONDS - 2',
    specs: api('authentication'),
  },
  {
    name: 'a timestamp from the future is accepted',
    file: 'app/partner_api/middleware/authentication.ts',
    find: 'Math.abs(Math.floor(Date.now() / 1000) - Number(timestamp))',
    replace: 'Math.floor(Date.now() / 1000) - Number(timestamp)',
    specs: api('authentication'),
  },
  {
    name: 'a revoked key works',
    file: 'app/partners/queries/find_partner_key.ts',
    find: 'k.revoked_at IS NULL AND ',
    replace: '',
    specs: api('authentication'),
  },
  {
    name: 'an expired key works',
    file: 'app/partners/queries/find_partner_key.ts',
    find: ' AND (k.expires_at IS NULL OR k.expires_at > now())',
    replace: '',
    specs: [...api('authentication'), 'tests/functional/partners/rotate_key.spec.ts'],
  },
  {
    name: 'any address is allowed',
    file: 'app/partner_api/middleware/signed_request_middleware.ts',
    find: '      assertAllowedAddress(ctx, key)\n',
    replace: '',
    specs: api('authentication'),
  },
  {
    name: 'the limit of a minute lets one more pass',
    file: 'app/shared/rate_limit.ts',
    find: 'if total >= limit then',
    replace: 'if total > limit then',
    specs: ['tests/unit/shared/limiters.spec.ts'],
  },
  {
    name: 'one more request is in flight than the limit',
    file: 'app/shared/rate_limit.ts',
    find: "if redis.call('ZCARD', KEYS[2]) >= cap",
    replace: "if redis.call('ZCARD', KEYS[2]) > cap",
    specs: ['tests/unit/shared/limiters.spec.ts'],
  },
  {
    name: 'confirms have no reserve of slots',
    file: 'app/partner_api/middleware/limits.ts',
    find: 'isConfirmOrCancel(ctx) ? withReserve(budget) : budget',
    replace: 'budget',
    specs: ['tests/functional/http/floods.spec.ts'],
  },
  {
    name: 'the reserve of slots is a fifth',
    file: 'app/partners/settings.ts',
    find: '* 1.25)',
    replace: '* 1.2)',
    specs: ['tests/unit/partners/settings.spec.ts'],
  },
  {
    name: 'failures of an address are not counted',
    file: 'app/http/failed_authentication.ts',
    find: 'if (!admission.refusedBy) return failure',
    replace: 'return failure',
    specs: api('authentication'),
  },
  {
    name: 'an address is let in again before its minute is over',
    file: 'app/http/failed_authentication.ts',
    find: '{ ttl: waitMs }',
    replace: '{ ttl: 1 }',
    specs: ['tests/functional/http/floods.spec.ts'],
  },
  {
    name: 'forged confirms are recorded without limit',
    file: 'app/partner_api/middleware/limits.ts',
    find: 'return refusedBy === null',
    replace: 'return refusedBy === null || partnerId > 0',
    specs: ['tests/functional/http/floods.spec.ts'],
  },
  {
    name: 'a signature in capitals is accepted',
    file: 'app/shared/signature.ts',
    find: '/^[0-9a-f]{64}$/',
    replace: '/^[0-9a-f]{64}$/i',
    specs: api('authentication'),
  },
  {
    name: 'the query is not signed',
    file: 'app/partner_api/middleware/authentication.ts',
    find: "uri: request.request.url ?? ''",
    replace: "uri: (request.request.url ?? '').split('?')[0]",
    specs: api('authentication'),
  },
] satisfies Mutant[]
