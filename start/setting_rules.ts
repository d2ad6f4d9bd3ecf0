import { isAddressRange } from '#shared/addresses'
import { Secret } from '@adonisjs/core/helpers'
import ipaddr from 'ipaddr.js'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/** Reads one setting, or throws `SettingProblem`. An empty value counts as none. */
export type Rule<Value> = (name: string, text?: string) => Value

/** What is wrong with a setting. Never contains its value, which may be a secret. */
export class SettingProblem extends Error {
  constructor(
    readonly setting: string,
    problem: string
  ) {
    super(`${setting} ${problem}`)
  }
}

/** `.env` has been read into the environment before the first rule is asked. */
const isLive = () => process.env.DEPLOYMENT === 'live'

/** A setting that must be there. */
function required<Value>(read: Rule<Value>): Rule<Value> {
  return (name, text) => {
    if (!text) throw new SettingProblem(name, 'is not set')
    return read(name, text)
  }
}

export const optional =
  <Value>(rule: Rule<Value>): Rule<Value | undefined> =>
  (name, text) =>
    text ? rule(name, text) : undefined

export const notOnLive =
  (rule: Rule<boolean>): Rule<boolean> =>
  (name, text) => {
    const isOn = rule(name, text)
    if (isOn && isLive()) {
      throw new SettingProblem(name, 'is for development: a live deployment must not set it')
    }
    return isOn
  }

/** The name of the setting with a file in place of a value, as images for Docker have it: APP_KEY_FILE for APP_KEY. */
export const fileSetting = (name: string) => `${name}_FILE`

/**
 * A secret that may also be the content of the file named by `<NAME>_FILE`. The environment of a process is seen by whoever may
 * inspect it; a file can be given to its user alone.
 */
export function orFile<Value>(rule: Rule<Value>): Rule<Value> & MayBeInFile {
  const ruleOrFile: Rule<Value> = (name, text) => {
    const path = process.env[fileSetting(name)]
    if (!path) return rule(name, text)
    if (text) {
      throw new SettingProblem(fileSetting(name), `is set, and ${name} too: set one of them`)
    }
    return rule(name, contentOf(fileSetting(name), path))
  }
  return Object.assign(ruleOrFile, { mayBeInFile: true as const })
}

interface MayBeInFile {
  mayBeInFile: true
}

/** Editors and `openssl` end a file with a line feed, which is no part of a secret. */
function contentOf(name: string, path: string) {
  const content = readSecretFile(name, path).trim()
  if (!content) throw new SettingProblem(name, `names ${path}, which is empty`)
  return content
}

function readSecretFile(name: string, path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingProblem(name, `names ${path}, which can't be read (${code})`)
  }
}

const isSet = (name: string) => Boolean(process.env[name] || process.env[fileSetting(name)])

/** A setting without which another one is useless. */
export const neededBy =
  <Value>(other: string, rule: Rule<Value | undefined>): Rule<Value | undefined> =>
  (name, text) => {
    if (!text && !isSet(name) && isSet(other)) {
      throw new SettingProblem(name, `is not set, but ${other} is: set both, or neither`)
    }
    return rule(name, text)
  }

/** Of a default in `config/platform.ts`. */
const BUYER_RETENTION_DAYS = 1095

/**
 * Months of a retention at whose end rows are archived as they are. Buyers are erased until then: tickets are sold up to a year
 * before the event, after which buyers are kept for BUYER_RETENTION_DAYS.
 */
export const longerThanBuyersAreKept =
  (rule: Rule<number>): Rule<number> =>
  (name, text) => {
    const months = rule(name, text)
    const days = Number(process.env.BUYER_RETENTION_DAYS || BUYER_RETENTION_DAYS) + 365
    const least = Math.ceil(days / 30)
    if (months < least)
      throw new SettingProblem(
        name,
        `must be at least ${least}: BUYER_RETENTION_DAYS and the year before an event`
      )
    return months
  }

export const text = required((_, value) => value!)

export const accepted = (accepts: (value: string) => boolean, words: string) =>
  required((name, value) => {
    if (!accepts(value!)) throw new SettingProblem(name, `must be ${words}`)
    return value!
  })

export const matching = (pattern: RegExp, words: string) =>
  accepted((value) => pattern.test(value), words)

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  required((name, value) => {
    const found = values.find((each) => each === value)
    if (found === undefined) throw new SettingProblem(name, `must be one of ${values.join(', ')}`)
    return found
  })

/** Where sessions and the limits of sign-ins are: on live in Redis, where every web process finds them and a restart keeps them. */
export const sessionDriver: Rule<'redis' | 'memory'> = (name, value) => {
  const driver = oneOf(['redis', 'memory'])(name, value)
  if (driver === 'memory' && isLive())
    throw new SettingProblem(name, 'must be redis on a live deployment: memory is for tests')
  return driver
}

export const flag = required((name, value) => {
  if (['true', '1'].includes(value!)) return true
  if (['false', '0'].includes(value!)) return false
  throw new SettingProblem(name, 'must be true or false')
})

export const integer = (least: number, most: number) =>
  required((name, value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value!) || number < least || number > most) {
      throw new SettingProblem(name, `must be a whole number from ${least} to ${most}`)
    }
    return number
  })

export const number = (least: number, most: number) =>
  required((name, value) => {
    const found = Number(value)
    if (!/^\d+(\.\d+)?$/.test(value!) || found < least || found > most) {
      throw new SettingProblem(name, `must be a number from ${least} to ${most}`)
    }
    return found
  })

const KEY_LENGTH = 32

/** A key or token that is long enough not to be guessed. */
export const longKey = required((name, value) => {
  if (value!.trim().length < KEY_LENGTH) {
    throw new SettingProblem(
      name,
      `must have at least ${KEY_LENGTH} characters (openssl rand -base64 32)`
    )
  }
  return value!
})

export const secret = required((name, value) => new Secret(longKey(name, value)))

/** Former keys, separated by commas or on lines of their own: what was made with them is still accepted. */
export const formerSecrets = required((name, value) =>
  value!
    .split(/[,\s]+/)
    .filter((key) => key !== '')
    .map((key) => new Secret(longKey(name, key)))
)

export const host = required((name, value) => {
  if (!isIP(value!) && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value!)) {
    throw new SettingProblem(name, 'must be an address or a host name')
  }
  return value!
})

/** The address of the deployment: links and cookies of a live one must not travel in the clear. */
export const publicUrl = required((name, value) => {
  const { protocol, pathname, search, hash, username } = urlOf(name, value!, ['http:', 'https:'])
  if (pathname !== '/' || search || hash || username) {
    throw new SettingProblem(name, 'must have a host, perhaps a port, and nothing else')
  }
  if (isLive() && protocol !== 'https:') {
    throw new SettingProblem(name, 'must begin with https:// on a live deployment')
  }
  return value!
})

export const databaseUrl = required((name, value) => {
  const { pathname } = urlOf(name, value!, ['postgres:', 'postgresql:'])
  if (pathname.length < 2) {
    throw new SettingProblem(name, 'must end with the name of a database: postgres://…/tickets')
  }
  return value!
})

export const redisUrl = required((name, value) => {
  urlOf(name, value!, ['redis:', 'rediss:'])
  return value!
})

/** `10.0.0.1:26379,10.0.0.2:26379`: the name or address and port of each Sentinel. */
export const sentinels = required((name, value) => {
  for (const place of value!.split(',')) {
    const [address, port] = splitPlace(place)
    host(name, address)
    integer(1, 65_535)(name, port)
  }
  return value!
})

/** The last colon: an IPv6 address has others. */
function splitPlace(place: string) {
  const colon = place.lastIndexOf(':')
  return [place.slice(0, Math.max(0, colon)).trim(), place.slice(colon + 1).trim()]
}

export const readSentinels = (value: string) =>
  value.split(',').map((place) => {
    const [address, port] = splitPlace(place)
    return { host: address, port: Number(port) }
  })

function urlOf(name: string, value: string, protocols: string[]) {
  const url = URL.parse(value)
  if (!url?.hostname || !protocols.includes(url.protocol)) {
    const forms = protocols.map((protocol) => `${protocol}//…`).join(' or ')
    throw new SettingProblem(name, `must be a URL of the form ${forms}`)
  }
  return url
}

/** The widest ranges that somebody's own network may have: 10.0.0.0/8 and fc00::/7. */
const WIDEST_IPV4 = 8
const WIDEST_IPV6 = 7
const IPV4_IN_IPV6_BITS = 96

/** Addresses and CIDR ranges, separated by commas. A range of the whole world would let any client choose its own address. */
export const proxies = required((name, value) => {
  for (const range of value!.split(',').map((one) => one.trim())) {
    if (range === '') continue
    if (!isAddressRange(range)) {
      throw new SettingProblem(name, `has ${range}, which is no address or CIDR range`)
    }
    if (isTooWide(range)) {
      throw new SettingProblem(
        name,
        `has ${range}, which is more than your own proxies: every client could choose its address`
      )
    }
  }
  return value!
})

function isTooWide(range: string) {
  const [address, bits] = range.split('/')
  if (bits === undefined) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return Number(bits) < WIDEST_IPV4
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const widest = parsed.isIPv4MappedAddress() ? IPV4_IN_IPV6_BITS + WIDEST_IPV4 : WIDEST_IPV6
  return Number(bits) < widest
}

/** A setting that a reader of its own module understands; the reader throws. */
export const readBy = (read: (value: string) => unknown, words: string) =>
  required((name, value) => {
    try {
      read(value!)
    } catch {
      throw new SettingProblem(name, `must be ${words}`)
    }
    return value!
  })
