import { isAddress } from '#mail/address'

export interface Sender {
  name: string
  address: string
}

export interface Server {
  host: string
  port: number
  isSecure: boolean
  login: { user: string; pass: string } | null
}

/** `Name <address>`, or the address alone. */
const SENDER = /^(?:([^<>\r\n]*)<([^<>]+)>|([^<>\s]+))$/

export function readSender(text: string): Sender {
  const parts = SENDER.exec(text.trim())
  const address = (parts?.[2] ?? parts?.[3] ?? '').trim()
  if (!parts || !isAddress(address)) throw new Error('MAIL_FROM is not an address')
  return { name: (parts[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address }
}

/** Reads addresses that are separated by commas. */
export function readAddresses(text: string): string[] {
  const addresses = text.split(',').map((one) => one.trim())
  const given = addresses.filter((one) => one !== '')
  const wrong = given.find((one) => !isAddress(one))
  if (wrong !== undefined) throw new Error(`ON_DUTY_EMAILS: ${wrong} is not an address`)
  return given
}

/** Reads `smtp://user:password@host:port` or `smtps://…`. The error never contains the text, which has a password. */
export function readServer(text: string): Server {
  const url = URL.parse(text.trim())
  const isSecure = url?.protocol === 'smtps:'
  if (!url?.hostname || !(isSecure || url.protocol === 'smtp:'))
    throw new Error('SMTP_URL is not smtp://host:port or smtps://host:port')
  const { hostname, port, username, password } = url
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 465 : 587),
    isSecure,
    login: user ? { user, pass } : null,
  }
}
