import { isRefusedCertificate } from '#start/certificate_errors'
import { StartRefused, type StartProblem } from '#start/checks'
import env from '#start/env'
import { readSentinels } from '#start/setting_rules'
import { findStandbyProblem } from '#start/standby_check'
import { isStandby } from '#shared/database_fitness'
import { Redis, type RedisOptions } from 'ioredis'
import { setTimeout as delay } from 'node:timers/promises'

/** A process starts without an answer after this time: it can live without either server. */
const WAIT_MS = 3_000

/**
 * Calls `refuse` when a setting names a server that is not what it should be: a standby of PostgreSQL, a replica of Redis, a name
 * that no Sentinel knows, a server that refuses the password or whose certificate is refused; or when the role of
 * STANDBY_DATABASE_URL can't read. A server that doesn't answer is none of these.
 */
export async function refuseWrongServers(refuse: (error: Error) => void): Promise<void> {
  const wait = delay(WAIT_MS, undefined, { ref: false })
  const found = await Promise.all(
    [findStandby(), findStandbyProblem(), findRedisProblem()].map((check) =>
      Promise.race([check.catch(() => undefined), wait])
    )
  )
  const problems = found.filter((problem): problem is StartProblem => problem !== undefined)
  if (problems.length > 0) refuse(new StartRefused(problems))
}

async function findStandby(): Promise<StartProblem | undefined> {
  if (!(await isStandby())) return undefined
  return {
    setting: 'DATABASE_URL',
    message:
      'DATABASE_URL leads to a standby, which takes no sales: name the primary, or a proxy that follows it',
  }
}

const findRedisProblem = () =>
  env.get('REDIS_SENTINELS') ? findSentinelProblem() : findReplica().catch(redisProblem)

async function findSentinelProblem(): Promise<StartProblem | undefined> {
  const name = env.get('REDIS_SENTINEL_NAME')!
  const password = env.get('REDIS_SENTINEL_PASSWORD')
  const answers = await Promise.allSettled(
    readSentinels(env.get('REDIS_SENTINELS')!).map((place) =>
      ask({ ...place, password }, (sentinel) =>
        sentinel.call('SENTINEL', 'get-master-addr-by-name', name)
      )
    )
  )
  const known = answers.filter((answer) => answer.status === 'fulfilled')
  if (known.length === 0) return findRefusalBySentinels(answers)
  const primary = known.map(({ value }) => value as [string, string] | null).find(Boolean)
  if (primary) return findRefusalByPrimary(...primary)
  return {
    setting: 'REDIS_SENTINEL_NAME',
    message: `REDIS_SENTINEL_NAME is ${name}, which no Sentinel of REDIS_SENTINELS knows`,
  }
}

/** One Sentinel that accepts the password is enough: passwords are changed on one machine after another. */
const findRefusalBySentinels = (answers: PromiseSettledResult<unknown>[]) =>
  answers
    .filter((answer) => answer.status === 'rejected')
    .map(({ reason }) => signInProblem('REDIS_SENTINEL_PASSWORD', reason))
    .find((problem) => problem !== undefined)

/** That it is a replica is no problem: the Sentinels may be promoting another server just now. */
const findRefusalByPrimary = (host: string, port: string) =>
  askRole({ host, port: Number(port) }).then(() => undefined, redisProblem)

async function findReplica(): Promise<StartProblem | undefined> {
  const url = new URL(env.get('REDIS_URL'))
  const role = await askRole({ host: url.hostname, port: Number(url.port || 6379) })
  if (role === 'master') return undefined
  return {
    setting: 'REDIS_URL',
    message: `REDIS_URL leads to a ${role} of Redis: name the primary, or set REDIS_SENTINELS`,
  }
}

/** The role of the server at this place, asked with the user, the password and the TLS of REDIS_URL. */
async function askRole(place: { host: string; port: number }): Promise<string> {
  const url = new URL(env.get('REDIS_URL'))
  const options = {
    ...place,
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    tls: url.protocol === 'rediss:' ? {} : undefined,
  }
  const [role] = (await ask(options, (server) => server.call('ROLE'))) as [string]
  return role
}

interface RedisError {
  code?: string
  message: string
}

function redisProblem(error: RedisError): StartProblem | undefined {
  if (!isRefusedCertificate(error.code ?? '')) return signInProblem('REDIS_URL', error)
  return { setting: 'REDIS_URL', message: `REDIS_URL: ${error.message}` }
}

/** Redis has answered that the user or the password is wrong, or that the user has no right to ask; waiting won't change it. */
const SIGN_IN_REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)\b/

function signInProblem(setting: string, { message }: RedisError): StartProblem | undefined {
  if (!SIGN_IN_REFUSED.test(message)) return undefined
  return { setting, message: `${setting}: ${message}` }
}

/** Over a connection that is tried once. */
async function ask<Answer>(
  place: RedisOptions,
  question: (server: Redis) => Promise<Answer>
): Promise<Answer> {
  const server = new Redis({
    ...place,
    lazyConnect: true,
    // It asks INFO, and prints a line of its own where the user may not.
    enableReadyCheck: false,
    connectTimeout: WAIT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  })
  try {
    await connected(server)
    return await question(server)
  } finally {
    server.disconnect()
  }
}

/** `connect` itself rejects with "Connection is closed" alone: the reason is in the event. */
const connected = (server: Redis) =>
  new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.connect().then(resolve, () => {})
  })
