import {
  createHash,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomUUID,
  sign as signBytes,
  type JsonWebKey,
} from 'node:crypto'
import { CompactSign, decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { Checks } from '../checks.ts'
import { Client, envelopeFault, PREFIX, type Answer } from '../client.ts'
import { Office } from '../office.ts'
import { Shop } from '../shop.ts'
import type { Judge, Product } from '../types.ts'

/** The batch size of a phone. */
const BATCH = 50
/** The capacity of the largest QR code, in digits. */
const LONGEST_QR = 7_089

const forgedTokens: Judge = {
  name: 'forged_tokens',
  about: 'tokens that jose makes of a true one, at the scanner and from a phone',
  needs: 'product',
  async run(product) {
    const trial = await Trial.begin(product)
    const forgeries = await forge(trial.material)
    await trial.atTheScanner(forgeries)
    await trial.fromAPhone(forgeries)
    await trial.otherEvents()
    await trial.sameTicketInOtherForms()
    await trial.trueOnesStillAdmit()
    trial.close()
    return trial.checks.verdict
  },
}

interface Forgery {
  name: string
  token: unknown
}

interface Material {
  token: string
  /** The genuine public key of the event. */
  jwk: JsonWebKey
  kid: string
  /** A genuine token of another event. */
  otherToken: string
}

class Trial {
  readonly checks = new Checks()
  readonly #scanner: Client
  readonly #phone: Office
  readonly #product: Product
  /** Each admits one guest. */
  readonly tokens: string[]
  readonly material: Material

  private constructor(product: Product, phone: Office, tokens: string[], material: Material) {
    this.#product = product
    this.#phone = phone
    this.#scanner = new Client(product)
    this.tokens = tokens
    this.material = material
  }

  static async begin(product: Product) {
    const shop = new Shop(product)
    const orders = await Promise.all([shop.sell(), shop.sell(), shop.sell()])
    const tokens = orders.map((order) => String(order.tickets[0].qr_token))
    const otherToken = await sellOtherEvent(shop, product.events.open)
    const keys = await shop.client.send({
      method: 'GET',
      uri: `${PREFIX}/events/${product.events.arena}/jwks.json`,
    })
    const kid = String(decodeProtectedHeader(tokens[0]).kid)
    const jwk = (keys.json.keys as (JsonWebKey & { kid: string })[]).find((key) => key.kid === kid)!
    shop.close()

    const phone = new Office(product)
    await phone.signIn(product.staff.gate)
    return new Trial(product, phone, tokens, { token: tokens[0], jwk, kid, otherToken })
  }

  async atTheScanner(forgeries: Forgery[]) {
    for (const { name, token } of forgeries) {
      const answer = await this.#scan(token)
      const code = answer.json?.error?.code
      // Anything but text, or too long a text, is invalid input.
      const isRefused = ['QR_INVALID', 'INVALID_PARAMETERS', 'PAYLOAD_TOO_LARGE'].includes(code)
      this.checks.expect(
        isRefused && answer.status < 500 && !envelopeFault(answer),
        `Scanner: ${name} is refused`,
        `${answer.status} ${answer.text}`
      )
    }
  }

  /** An invalid scan must not prevent the verdicts of the others in its batch. */
  async fromAPhone(forgeries: Forgery[]) {
    const codes = forgeries.filter(({ token }) => isQrCode(token))
    for (let from = 0; from < codes.length; from += BATCH) {
      const batch = codes.slice(from, from + BATCH)
      const scans = batch.map(({ token }) => this.#phoneScan(token))
      const answer = await this.#phone.postJson('/back-office/gate/scans', { scans })
      const isAnswered = answer.status === 200
      const names = `${batch[0].name} … ${batch.at(-1)!.name}`
      this.checks.expect(isAnswered, `Phone: the batch from ${names} is 200`, shown(answer))
      if (!isAnswered) continue
      for (const [place, { name }] of batch.entries()) {
        const verdict = verdictOf(answer, scans[place].id)
        const isRefused = verdict !== undefined && verdict !== 'admitted'
        this.checks.expect(
          isRefused,
          `Phone: ${name} has a verdict of its own`,
          `${answer.status} ${verdict}`
        )
      }
    }
    for (const { name, token } of forgeries) {
      const scan = this.#phoneScan(token)
      const answer = await this.#phone.postJson('/back-office/gate/scans', { scans: [scan] })
      const isRefused = answer.status < 500 && verdictOf(answer, scan.id) !== 'admitted'
      this.checks.expect(isRefused, `Phone: ${name} alone is refused`, shown(answer))
    }
  }

  async otherEvents() {
    const { arena, open } = this.#product.events
    const pairs = [
      { name: 'A true token at the gate of another event', token: this.tokens[0], eventId: open },
      { name: 'A true token of another event', token: this.material.otherToken, eventId: arena },
    ]
    for (const { name, token, eventId } of pairs) {
      const answer = await this.#scan(token, eventId)
      const isRefused = answer.json?.error?.code === 'TICKET_WRONG_EVENT'
      this.checks.expect(isRefused, `${name} is TICKET_WRONG_EVENT`, shown(answer))
    }
  }

  /** Other encodings of a genuine token may be accepted or not, but must never admit a second guest. */
  async sameTicketInOtherForms() {
    const token = this.tokens[2]
    const around = BLANKS.flatMap((blank) => [blank + token, token + blank])
    const forms = [otherTrailingBits(token), mirroredSignature(token), ...around, token, token]
    let admitted = 0
    for (const form of forms) {
      const scan = this.#phoneScan(form)
      const byPhone = await this.#phone.postJson('/back-office/gate/scans', { scans: [scan] })
      const answer = await this.#scan(form)
      const verdicts = [verdictOf(byPhone, scan.id), verdictAtScanner(answer)]
      admitted += verdicts.filter((verdict) => verdict === 'admitted').length
      const areKnown = verdicts.every((verdict) => VERDICTS_OF_FORMS.includes(String(verdict)))
      const detail = `phone ${shown(byPhone)}, scanner ${shown(answer)}`
      this.checks.expect(areKnown, `${JSON.stringify(form)} is judged`, detail)
    }
    this.checks.expect(admitted === 1, 'All forms of one token let in one guest', String(admitted))
  }

  async trueOnesStillAdmit() {
    const atScanner = await this.#scan(this.tokens[0])
    const isIn = atScanner.json?.data?.verdict === 'admitted'
    this.checks.expect(
      isIn,
      'The true token admits at the scanner after all forgeries',
      shown(atScanner)
    )
    const again = await this.#scan(this.tokens[0])
    const isSecond = again.json?.error?.code === 'TICKET_ALREADY_USED'
    this.checks.expect(isSecond, 'The second scan of it is TICKET_ALREADY_USED', shown(again))

    const scan = this.#phoneScan(this.tokens[1])
    const { NUL } = KIDS
    const forged = this.#phoneScan(await withHeader(this.material, { kid: NUL }))
    const body = { scans: [forged, scan] }
    const byPhone = await this.#phone.postJson('/back-office/gate/scans', body)
    const isLetIn = verdictOf(byPhone, scan.id) === 'admitted'
    this.checks.expect(isLetIn, 'The true token admits in one batch with a forgery', shown(byPhone))
  }

  close() {
    this.#scanner.close()
    this.#phone.close()
  }

  #scan(token: unknown, eventId = this.#product.events.arena) {
    return this.#scanner.send({
      method: 'POST',
      uri: '/api/v1/gate/scans',
      body: JSON.stringify({ event_id: eventId, qr_token: token }),
      headers: { 'X-Gate-Key': this.#product.gateKey, 'Content-Type': 'application/json' },
    })
  }

  #phoneScan(token: unknown) {
    const { arena: eventId } = this.#product.events
    return {
      id: randomUUID(),
      eventId,
      gate: 'Judge',
      token,
      offlineAt: null,
      refusedOffline: null,
    }
  }
}

async function sellOtherEvent(shop: Shop, eventId: string) {
  const sectors = await shop.get(`/events/${eventId}/seats`)
  const sector = sectors.json.data[0].sector_id
  const seats = await shop.get(`/events/${eventId}/seats?sector=${sector}`)
  const seat = (seats.json.data as { space_id: string; is_sellable: boolean }[]).find(
    ({ is_sellable: isSellable }) => isSellable
  )!
  const body = { ...(await shop.bookingBody()), event_id: eventId, seats: [seat.space_id] }
  const booking = await shop.post('/bookings', body)
  const order = await shop.post('/orders', shop.orderBody(booking.json.data.booking_id))
  const { order_id: id, total_tenge: total } = order.json.data
  const paid = await shop.post(`/orders/${id}/confirm`, shop.confirmBody(total))
  return String(paid.json.data.tickets[0].qr_token)
}

const verdictOf = (answer: Answer, id: string): string | undefined =>
  (answer.json?.verdicts as { id: string; verdict: string }[] | undefined)?.find(
    (verdict) => verdict.id === id
  )?.verdict

/** The only characters that a camera reads. */
const isQrCode = (token: unknown) => typeof token === 'string' && token.length <= LONGEST_QR

const VERDICTS_OF_FORMS = ['admitted', 'QR_INVALID', 'TICKET_ALREADY_USED']
const verdictAtScanner = ({ json }: Answer) => json?.data?.verdict ?? json?.error?.code

const shown = ({ status, text }: Answer) => `${status} ${text.slice(0, 400)}`

const KIDS: Record<string, unknown> = {
  'NUL': '\0',
  'NUL inside': 'abc\0def',
  'half of a surrogate pair': '\ud800',
  'a path': '../../../../../../etc/passwd',
  'a device': '/dev/null',
  'SQL': "' OR '1'='1",
  'SQL of two statements': "x'; DROP TABLE event_keys; --",
  'a placeholder': '$1',
  'an address': 'http://127.0.0.1:1/jwks.json',
  'a pattern': '%',
  'empty': '',
  'blank': ' ',
  'very long': 'k'.repeat(2_000),
  'longer than the door reads': 'k'.repeat(20_000),
  'Cyrillic': 'ключ',
  'a number': 7,
  'null': null,
  'a list': ['a'],
  'an object': { toString: 'x' },
  'true': true,
  '__proto__': '__proto__',
  'constructor': 'constructor',
}

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ownRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ownJwk = own.publicKey.export({ format: 'jwk' })
const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')

/** Signed with our own key, regardless of the header. */
function craft(header: object, claims: object | string) {
  const payload = typeof claims === 'string' ? claims : JSON.stringify(claims)
  const unsigned = `${base64url(JSON.stringify(header))}.${base64url(payload)}`
  const key = { key: own.privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `${unsigned}.${signBytes('sha256', Buffer.from(unsigned), key).toString('base64url')}`
}

const withHeader = ({ token }: Material, header: object) =>
  craft({ alg: 'ES256', typ: 'JWT', ...header }, decodeJwt(token))

async function forge(material: Material): Promise<Forgery[]> {
  return [
    ...(await otherAlgorithms(material)),
    ...(await otherKeys(material)),
    ...otherClaims(material),
    ...Object.entries(KIDS).map(([name, kid]) => ({
      name: `A kid that is ${name}`,
      token: withHeader(material, { kid }),
    })),
    ...otherBytes(material),
  ]
}

async function otherAlgorithms({ token, jwk, kid }: Material): Promise<Forgery[]> {
  const claims = decodeJwt(token)
  const [, payload, signature] = token.split('.')
  const unsecured = new UnsecuredJWT(claims).encode()
  const none = (alg: string) => base64url(JSON.stringify({ alg, kid, typ: 'JWT' }))
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const secrets: Record<string, Buffer> = {
    'the public key as PEM': Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })),
    'the public key as DER': publicKey.export({ format: 'der', type: 'spki' }),
    'the public key as JWK': Buffer.from(JSON.stringify(jwk)),
    'the point of the public key': Buffer.concat([
      Buffer.from(jwk.x!, 'base64url'),
      Buffer.from(jwk.y!, 'base64url'),
    ]),
    'its kid': Buffer.from(kid),
    'a NUL byte': Buffer.alloc(1),
  }
  const symmetric = await Promise.all(
    Object.entries(secrets).map(async ([name, secret]) => ({
      name: `HS256 with ${name} as the secret`,
      token: await hs256(claims, kid, secret),
    }))
  )
  const rsa = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid })
  return [
    { name: 'alg none without a signature', token: unsecured },
    ...['none', 'None', 'NONE', 'nOnE'].flatMap((alg) => [
      { name: `alg ${alg} with the true signature`, token: `${none(alg)}.${payload}.${signature}` },
      { name: `alg ${alg} with an empty signature`, token: `${none(alg)}.${payload}.` },
    ]),
    ...symmetric,
    { name: 'RS256 with a key of our own', token: await rsa.sign(ownRsa.privateKey) },
    ...['ES384', 'es256', '', 'HS256', 'EdDSA'].map((alg) => ({
      name: `The true signature under alg ${JSON.stringify(alg)}`,
      token: `${none(alg)}.${payload}.${signature}`,
    })),
  ]
}

/** jose requires 32 bytes for HS256; a shorter secret is padded with zeros, as HMAC does. */
function hs256(claims: object, kid: string, secret: Buffer) {
  const key = secret.length > 64 ? createHash('sha256').update(secret).digest() : secret
  const padded = Buffer.concat([key, Buffer.alloc(64 - key.length)])
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', kid, typ: 'JWT' })
    .sign(createSecretKey(padded))
}

async function otherKeys(material: Material): Promise<Forgery[]> {
  const { token, kid, otherToken } = material
  const [header, payload, signature] = token.split('.')
  const [otherHeader, otherPayload, otherSignature] = otherToken.split('.')
  const claims = decodeJwt(token)
  const signed = (protectedHeader: object) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...protectedHeader })
      .sign(own.privateKey)
  return [
    { name: 'Our own key under the true kid', token: await signed({ kid }) },
    { name: 'Our own key without a kid', token: await signed({}) },
    { name: 'Our own key embedded as jwk', token: await signed({ jwk: ownJwk }) },
    {
      name: 'Our own key embedded as jwk, under the true kid',
      token: await signed({ kid, jwk: ownJwk }),
    },
    { name: 'A key behind jku', token: await signed({ kid, jku: 'http://127.0.0.1:1/jwks.json' }) },
    { name: 'A key behind x5u', token: await signed({ kid, x5u: 'http://127.0.0.1:1/x5u.pem' }) },
    { name: 'A certificate as x5c', token: await signed({ kid, x5c: ['MIIB'] }) },
    {
      name: 'An extension that must be understood',
      token: withHeader(material, { kid, crit: ['exp'] }),
    },
    {
      name: "Another event's kid over this payload",
      token: `${otherHeader}.${payload}.${signature}`,
    },
    {
      name: "Another event's header and signature",
      token: `${otherHeader}.${payload}.${otherSignature}`,
    },
    { name: "Another event's payload", token: `${header}.${otherPayload}.${signature}` },
    { name: "Another event's signature", token: `${header}.${payload}.${otherSignature}` },
  ]
}

function otherClaims(material: Material): Forgery[] {
  const { token, kid } = material
  const claims = decodeJwt(token)
  const past = Math.floor(Date.now() / 1000) - 10
  const changed: Record<string, object | string> = {
    'that have expired': { ...claims, exp: past, iat: past - 10 },
    'of another event': { ...claims, event_id: 'evt_00000000000000000000000000' },
    'whose event holds NUL': { ...claims, event_id: '\0' },
    'whose ticket holds NUL': { ...claims, sub: 'tkt_\0' },
    'whose ticket is a number': { ...claims, sub: 1 },
    'whose ticket is SQL': { ...claims, sub: "' OR 1=1 --" },
    'without a ticket': { ...claims, sub: undefined },
    'that are empty': {},
    'that are null': 'null',
    'that are a list': '[]',
    'that are no JSON': '{',
    'that are nested deeply': '['.repeat(900),
  }
  return Object.entries(changed).map(([name, payload]) => ({
    name: `Claims ${name}, signed by us`,
    token: craft({ alg: 'ES256', kid, typ: 'JWT' }, payload),
  }))
}

function otherBytes({ token }: Material): Forgery[] {
  const [header, payload, signature] = token.split('.')
  const cuts = [1, 2, 40, 86, 87, 200, 400, token.length - 1].map((length) => ({
    name: `Cut by ${length}`,
    token: token.slice(0, -length),
  }))
  const flipped = Array.from({ length: 16 }, (_, n) => {
    const at = Math.floor((n * (token.length - 2)) / 16)
    const letter = token[at] === 'A' ? 'B' : 'A'
    return {
      name: `Another letter at ${at}`,
      token: token.slice(0, at) + letter + token.slice(at + 1),
    }
  })
  const space = BLANKS.map((blank) => ({
    name: `${JSON.stringify(blank)} inside`,
    token: `${header}.${blank}${payload}.${signature}`,
  }))
  const zeros = Buffer.alloc(64).toString('base64url')
  const reencoded: Record<string, unknown> = {
    'A signature of zeros': `${header}.${payload}.${zeros}`,
    'No signature': `${header}.${payload}.`,
    'Two parts': `${header}.${payload}`,
    'Four parts': `${token}.${signature}`,
    'Five parts': `${token}..`,
    'Parts in another order': `${payload}.${header}.${signature}`,
    'Only dots': '..',
    'Percent-encoded': encodeURIComponent(token).replaceAll('.', '%2E'),
    'Base64 of the token': base64url(token),
    'Base64 with padding': `${header}=.${payload}=.${signature}==`,
    'Upper case': token.toUpperCase(),
    'In quotes': `"${token}"`,
    'A link to a ticket page': `https://tickets.example.kz/t/${token}`,
    'A JWS in JSON': JSON.stringify({ payload, signatures: [{ protected: header, signature }] }),
    'Twice': token + token,
    'Full width letters': token.replaceAll('e', 'ｅ'),
    'An object': { token },
    'A list': [token],
    'A number': 42,
    'null': null,
    'Nothing': '',
    'Very long': `${'a'.repeat(2_500)}.b.c`,
    'As long as a QR code can be': '7'.repeat(LONGEST_QR),
    'Longer than the door reads': 'a'.repeat(20_000),
  }
  return [
    ...cuts,
    ...flipped,
    ...space,
    ...Object.entries(reencoded).map(([name, bytes]) => ({ name, token: bytes })),
  ]
}

const BLANKS = [' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', '\ufeff', '\0']

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The last character of 64 bytes in base64url has four unused bits. */
function otherTrailingBits(token: string) {
  const last = ALPHABET.indexOf(token.at(-1)!)
  return token.slice(0, -1) + ALPHABET[last ^ 1]
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** The second valid form (r, n − s) of an ECDSA signature (r, s). */
function mirroredSignature(token: string) {
  const [header, payload, signature] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const mirrored = (ORDER - s).toString(16).padStart(64, '0')
  const both = Buffer.concat([bytes.subarray(0, 32), Buffer.from(mirrored, 'hex')])
  return `${header}.${payload}.${both.toString('base64url')}`
}

export default forgedTokens
