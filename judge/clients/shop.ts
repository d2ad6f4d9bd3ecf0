import { createHmac, randomUUID } from 'node:crypto'

/** Shared by the three shops: the addresses, the signature, and the report of a sale. */
export const baseUrl = setting('PARTNER_BASE_URL')
export const eventId = setting('EVENT_ID')
const apiKey = setting('PARTNER_API_KEY')
const secret = setting('PARTNER_SECRET')

export const buyer = { name: 'Guest', email: 'guest@example.kz', phone: '+77010000000' }
export const newKey = () => randomUUID()

export interface Sale {
  eventTitle: string
  seats: { id: string; label: string; price: number }[]
  problem: { code: string; expected: number | undefined; field: string | undefined }
  orderId: string
  email: string
  paidAt: string | undefined
  tickets: { number: string; seat: string; token: string | null; pdf: string }[]
}

export function signatureOf(method: string, url: string, body: string): Record<string, string> {
  const { pathname, search } = new URL(url)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n${pathname}${search}\n${body}`)
    .digest('hex')
  return { 'X-Api-Key': apiKey, 'X-Timestamp': timestamp, 'X-Signature': signature }
}

/** The payment of a test card. */
export const paymentOf = (amount: number) => ({
  amount_tenge: amount,
  paid_at: new Date().toISOString(),
  external_payment_id: `test-${randomUUID()}`,
  currency: 'KZT' as const,
})

export function report(sale: Sale) {
  console.log(JSON.stringify(sale))
}

export function fail(step: string, answer: unknown): never {
  throw new Error(`${step}: ${JSON.stringify(answer)}`)
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name}`)
  return value
}
