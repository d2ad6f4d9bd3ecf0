import redis from '@adonisjs/redis/services/main'

/** A request of a partner that was refused; nothing of what it carried is kept. */
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

const MOST = 20
const KEPT_SECONDS = 7 * 24 * 3600
/** A rush refuses thousands a second: of each partner the latest are written together. */
const TOGETHER_MS = 500

const client = () => redis.connection('limits').ioConnection
/** Only what is open and answers: a note must not open a connection anew while the process shuts down, which would keep it alive. */
function openClient() {
  const open = redis.activeConnections.limits?.ioConnection
  return open?.status === 'ready' ? open : undefined
}
const listOf = (partnerId: number) => `refused:${partnerId}`
const addressesOf = (partnerId: number) => `refused_addresses:${partnerId}`

const waiting = new Map<number, RecentRefusal[]>()
let timer: NodeJS.Timeout | undefined

/** Kept for staff to look at, in Redis alone and without waiting: one that is lost does no harm. */
export function noteRefusal(partnerId: number, refusal: RecentRefusal) {
  const latest = waiting.get(partnerId) ?? []
  if (latest.length === MOST) latest.shift()
  latest.push(refusal)
  waiting.set(partnerId, latest)
  timer ??= setTimeout(write, TOGETHER_MS).unref()
}

function write() {
  timer = undefined
  for (const [partnerId, refusals] of waiting) {
    const key = listOf(partnerId)
    const lines = refusals.map((refusal) => JSON.stringify(refusal))
    openClient()
      ?.multi()
      .lpush(key, ...lines)
      .ltrim(key, 0, MOST - 1)
      .expire(key, KEPT_SECONDS)
      .exec()
      .catch(() => {})
  }
  waiting.clear()
}

/** An address that is not on the partner's list, with a signature that was right. */
export function noteRefusedAddress(partnerId: number, address: string) {
  const key = addressesOf(partnerId)
  openClient()
    ?.multi()
    .zadd(key, Date.now(), address)
    .zremrangebyrank(key, 0, -MOST - 1)
    .expire(key, KEPT_SECONDS)
    .exec()
    .catch(() => {})
}

/** The latest, newest first; null when Redis doesn't answer. */
export async function recentRefusals(partnerId: number): Promise<RecentRefusal[] | null> {
  const lines = await client()
    .lrange(listOf(partnerId), 0, MOST - 1)
    .catch(() => null)
  return lines && lines.map((line) => JSON.parse(line) as RecentRefusal)
}

/** Each address once, the latest first; null when Redis doesn't answer. */
export async function refusedAddresses(partnerId: number): Promise<RefusedAddress[] | null> {
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
