import redis from '@adonisjs/redis/services/main'

/** A refused request of a partner, without its body or query. */
export type RecentRefusal = {
  at: string
  operation: string
  status: number
  code: string
  requestId: string
}

export type RefusedAddress = {
  address: string
  at: string
}

const MAX_KEPT = 20
const KEPT_SECONDS = 7 * 24 * 3600
/** A rush can refuse thousands of requests a second: only the latest of each partner are written, twice a second. */
const WRITE_EVERY_MS = 500

const client = () => redis.connection('limits').ioConnection
/** The connection if it is open: opening one during a shutdown would keep the process alive. */
function openClient() {
  const open = redis.activeConnections.limits?.ioConnection
  return open?.status === 'ready' ? open : undefined
}
const listOf = (partnerId: number) => `refused:${partnerId}`
const addressesOf = (partnerId: number) => `refused_addresses:${partnerId}`

const waiting = new Map<number, RecentRefusal[]>()
let timer: NodeJS.Timeout | undefined

/** Keeps a refusal for staff, in Redis only and without waiting: losing one does no harm. */
export function recordRefusal(partnerId: number, refusal: RecentRefusal) {
  const latest = waiting.get(partnerId) ?? []
  if (latest.length === MAX_KEPT) latest.shift()
  latest.push(refusal)
  waiting.set(partnerId, latest)
  timer ??= setTimeout(() => void writeRefusals(), WRITE_EVERY_MS).unref()
}

/** Also before a shutdown: a connection that Redis has closed after QUIT takes nothing more. */
export async function writeRefusals() {
  clearTimeout(timer)
  timer = undefined
  const collected = [...waiting]
  waiting.clear()
  await Promise.all(collected.map(([partnerId, refusals]) => write(partnerId, refusals)))
}

async function write(partnerId: number, refusals: RecentRefusal[]) {
  const key = listOf(partnerId)
  const lines = refusals.map((refusal) => JSON.stringify(refusal))
  await openClient()
    ?.multi()
    .lpush(key, ...lines)
    .ltrim(key, 0, MAX_KEPT - 1)
    .expire(key, KEPT_SECONDS)
    .exec()
    .catch(() => {})
}

/** Keeps an address that is not on the partner's list although its signature was valid. */
export function recordRefusedAddress(partnerId: number, address: string) {
  const key = addressesOf(partnerId)
  openClient()
    ?.multi()
    .zadd(key, Date.now(), address)
    .zremrangebyrank(key, 0, -MAX_KEPT - 1)
    .expire(key, KEPT_SECONDS)
    .exec()
    .catch(() => {})
}

/** The newest first; null when Redis doesn't answer. */
export async function listRecentRefusals(partnerId: number): Promise<RecentRefusal[] | null> {
  const lines = await client()
    .lrange(listOf(partnerId), 0, MAX_KEPT - 1)
    .catch(() => null)
  return lines && lines.map((line) => JSON.parse(line) as RecentRefusal)
}

/** Each address once, the newest first; null when Redis doesn't answer. */
export async function listRefusedAddresses(partnerId: number): Promise<RefusedAddress[] | null> {
  const since = Date.now() - KEPT_SECONDS * 1000
  const found = await client()
    .zrevrangebyscore(addressesOf(partnerId), '+inf', since, 'WITHSCORES')
    .catch(() => null)
  if (!found) return null
  const addresses = found.filter((_, index) => index % 2 === 0)
  return addresses.map((address, index) => {
    return { address, at: new Date(Number(found[2 * index + 1])).toISOString() }
  })
}
