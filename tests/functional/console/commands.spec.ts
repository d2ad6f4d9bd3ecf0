import ChangeGrant from '#partners/actions/change_grant'
import { PartnerClient, testBaseUrl } from '#tests/support/partner_client'
import {
  aPartner,
  aSale,
  anEvent,
  book,
  order,
  sell,
  smallHall,
  TESTER,
} from '#tests/support/fixtures'
import { outcomeOf, sleep } from '#tests/functional/races/support/crowd'
import { postScan } from '#tests/functional/races/support/gates'
import { count, rows } from '#tests/functional/races/support/sql'
import { seedSandbox } from '#database/seeders/sandbox/main'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, start, type Outcome } from './support.js'

const EVENT_ID = /evt_[0-9a-z]{26}/
const NO_EVENT = `evt_${'0'.repeat(26)}`
const aCode = () => `c-${randomUUID()}`

/** Plan and seats of a hall as files. */
async function hallFiles({ planSvg, seatsCsv }: ReturnType<typeof smallHall>) {
  const directory = await mkdtemp(join(tmpdir(), 'hall-'))
  const [plan, seats] = [join(directory, 'plan.svg'), join(directory, 'seats.csv')]
  await writeFile(plan, planSvg)
  await writeFile(seats, seatsCsv)
  return { args: [`--plan=${plan}`, `--seats=${seats}`, '--name=Зал'], directory }
}

async function aHall() {
  const { args, directory } = await hallFiles(smallHall())
  const outcome = await run('hall:import', ...args, '--venue-name=Площадка')
  await rm(directory, { recursive: true })
  const [, hall, venue] = /hall (\d+) with 60 seats in venue (ven_\w+)/.exec(outcome.text)!
  return { hall, venue, outcome }
}

const titles = ['--title-ru=Концерт', '--title-kk=Концерт', '--title-en=Concert']
const pairIn = ({ text }: Outcome) => {
  const [apiKey] = /pk_sandbox_\w+/.exec(text)!
  const [secret] = /sk_sandbox_\w+/.exec(text)!
  return { apiKey, secret }
}

test.group('hall:import', () => {
  test('loads a hall into a new venue and another into the same', async ({ assert }) => {
    const { venue, outcome } = await aHall()
    assert.equal(outcome.exitCode, 0)

    const { args, directory } = await hallFiles(smallHall())
    const second = await run('hall:import', ...args, `--venue-id=${venue}`)
    await rm(directory, { recursive: true })

    assert.equal(second.exitCode, 0)
    assert.include(second.text, venue)
    const halls = 'SELECT count(*) FROM halls WHERE venue_id = $1'
    assert.equal(await count(halls, [venue]), 2)
  })

  test('reports every invalid line and loads nothing', async ({ assert }) => {
    const good = smallHall()
    const seatsCsv = good.seatsCsv.replace(',standard', ',gold').replace('row-b-4', 'b-4')
    const { args, directory } = await hallFiles({ ...good, seatsCsv })
    const before = await count('SELECT count(*) FROM halls')

    const { exitCode, text } = await run('hall:import', ...args, '--venue-name=Площадка')
    await rm(directory, { recursive: true })

    assert.equal(exitCode, 1)
    assert.match(text, /INVALID_PARAMETERS/)
    assert.match(text, /line 12: category_code/)
    assert.match(text, /line 32: row_id/)
    assert.equal(await count('SELECT count(*) FROM halls'), before)
  })

  test('requires one venue and existing files', async ({ assert }) => {
    const { args, directory } = await hallFiles(smallHall())
    const neither = await run('hall:import', ...args)
    const both = await run('hall:import', ...args, '--venue-id=x', '--venue-name=y')
    await rm(directory, { recursive: true })
    const gone = await run('hall:import', ...args, '--venue-name=y')
    assert.deepEqual([neither.exitCode, both.exitCode, gone.exitCode], [1, 1, 1])
    for (const { text } of [neither, both]) assert.match(text, /either --venue-id or --venue-name/)
    assert.match(gone.text, /no such file/)
  })

  test('reports an unknown venue', async ({ assert }) => {
    const { args, directory } = await hallFiles(smallHall())
    const { exitCode, text } = await run('hall:import', ...args, `--venue-id=ven_${'0'.repeat(26)}`)
    await rm(directory, { recursive: true })
    assert.equal(exitCode, 1)
    assert.match(text, /NO_SUCH: .*\n.*venue/)
  })
})

test.group('event:create, event:status', () => {
  test('creates, opens, pauses, closes and cancels an event', async ({ assert }) => {
    const { hall } = await aHall()
    const made = await run(
      'event:create',
      hall,
      ...titles,
      '--starts-at=2030-12-31T19:00:00+05:00',
      '--type=concert',
      '--age-rating=6+',
      '--max-seats=4',
      '--price=standard:12000',
      '--price=vip:45000'
    )
    assert.equal(made.exitCode, 0, made.text)
    const [eventId] = EVENT_ID.exec(made.text)!
    const [event] = await rows('SELECT * FROM events WHERE id = $1', [eventId])
    assert.equal(event.starts_at.toISOString(), '2030-12-31T14:00:00.000Z')
    assert.equal(event.ends_at.toISOString(), '2030-12-31T17:00:00.000Z')
    assert.equal(event.max_seats_per_booking, 4)
    assert.equal(Number(event.price_from_tenge), 12_000)

    const seen: string[] = []
    for (const trigger of ['open', 'pause', 'open', 'close']) {
      const { exitCode, text } = await run('event:status', eventId, trigger)
      assert.equal(exitCode, 0)
      seen.push(/sales_\w+/.exec(text)![0])
    }
    assert.deepEqual(seen, ['sales_open', 'sales_paused', 'sales_open', 'sales_closed'])
    const cancelled = await run('event:status', eventId, 'cancel', '--reason=Болезнь')
    assert.match(cancelled.text, /0 tickets void, 0 bookings expired/)
    const [{ actor_kind: kind }] = await rows(
      `SELECT actor_kind FROM journal WHERE event_id = $1 AND name = 'event_cancelled'`,
      [eventId]
    )
    assert.equal(kind, 'console')
  })

  test('a cancellation reports how many tickets and bookings it ends', async ({ assert }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    await book(client, event.id, ['seat-1-3'])
    const { text } = await run('event:status', event.id, 'cancel', '--reason=Болезнь')
    assert.match(text, /2 tickets void, 1 bookings expired/)
  })

  const refused: [what: string, args: string[], words: RegExp][] = [
    ['no such hall', ['999999', ...titles, '--starts-at=2030-12-31T19:00:00+05:00'], /NO_SUCH/],
    [
      'a start without offset',
      ['1', ...titles, '--starts-at=2030-12-31T19:00:00'],
      /starts-at.*offset/,
    ],
    [
      'an end before the start',
      [
        '1',
        ...titles,
        '--starts-at=2030-12-31T19:00:00+05:00',
        '--ends-at=2030-12-31T18:00:00+05:00',
      ],
      /must end after/,
    ],
    [
      'an unknown type',
      ['1', ...titles, '--starts-at=2030-12-31T19:00:00+05:00', '--type=opera'],
      /must be one of concert/,
    ],
    [
      'an unknown rating',
      ['1', ...titles, '--starts-at=2030-12-31T19:00:00+05:00', '--age-rating=7+'],
      /must be one of 0\+/,
    ],
    [
      'a price of no category',
      ['1', ...titles, '--starts-at=2030-12-31T19:00:00+05:00', '--price=gold:1'],
      /gold:1/,
    ],
    [
      'a price that is no number',
      ['1', ...titles, '--starts-at=2030-12-31T19:00:00+05:00', '--price=vip:1.5'],
      /vip:1\.5/,
    ],
  ]
  for (const [what, args, words] of refused) {
    test(`event:create refuses ${what} with a message`, async ({ assert }) => {
      const before = await count('SELECT count(*) FROM events')
      const { exitCode, text } = await run('event:create', ...args)
      assert.equal(exitCode, 1)
      assert.match(text, words)
      assert.equal(await count('SELECT count(*) FROM events'), before)
    })
  }

  test('refuses a booking limit of zero or above the ceiling of the schema', async ({ assert }) => {
    const { hall } = await aHall()
    for (const seats of ['0', '21', '2.5']) {
      const { exitCode, text } = await run(
        'event:create',
        hall,
        ...titles,
        '--starts-at=2030-12-31T19:00:00+05:00',
        `--max-seats=${seats}`
      )
      assert.equal(exitCode, 1, seats)
      assert.match(text, /INVALID_PARAMETERS/, seats)
    }
  })

  test('event:status refuses transitions that the table does not have', async ({ assert }) => {
    const event = await anEvent({ status: 'sales_closed' })
    const cases: [string[], RegExp][] = [
      [[event.id, 'pause'], /STATUS_NOT_REACHABLE.*\n.*sales_closed/],
      [[event.id, 'begin'], /must be one of open, pause, close, cancel/],
      [[event.id, 'cancel'], /--reason/],
      [[NO_EVENT, 'open'], /EVENT_NOT_FOUND/],
      [['x', 'open'], /EVENT_NOT_FOUND/],
    ]
    for (const [args, words] of cases) {
      const { exitCode, text } = await run('event:status', ...args)
      assert.equal(exitCode, 1)
      assert.match(text, words)
    }
  })
})

test.group('partner:create, partner:key, partner:suspend, partner:resume', () => {
  test('creates a partner whose key works at once', async ({ assert }) => {
    const code = aCode()
    const made = await run(
      'partner:create',
      code,
      '--name=Кино',
      '--hold-seconds=90',
      '--pending-orders=5'
    )
    assert.equal(made.exitCode, 0)
    assert.include(made.text, 'shown once')

    const { status, headers } = await new PartnerClient(pairIn(made)).get('/events')
    assert.equal(status, 200)
    assert.equal(headers.get('x-ratelimit-limit'), '100')
    const [partner] = await rows('SELECT * FROM partners WHERE code = $1', [code])
    assert.deepEqual([partner.hold_seconds, partner.pending_orders], [90, 5])
    const [key] = await rows('SELECT * FROM partner_keys WHERE partner_id = $1', [partner.id])
    assert.notInclude(JSON.stringify(key), pairIn(made).secret)
  })

  test('a further key works along with the first, and a revoked one does not', async ({
    assert,
  }) => {
    const { code, client } = await aPartner()
    const second = await run('partner:key', code)
    const secondClient = new PartnerClient(pairIn(second))
    const before = [await client.get('/events'), await secondClient.get('/events')]

    const revoked = await run('partner:key', code, `--revoke=${client.credentials.apiKey}`)
    const after = [await client.get('/events'), await secondClient.get('/events')]

    assert.deepEqual(before.map(outcomeOf), ['200', '200'])
    assert.equal(revoked.exitCode, 0)
    assert.deepEqual(after.map(outcomeOf), ['401 INVALID_API_KEY', '200'])
  })

  test('a partner is suspended and resumed', async ({ assert }) => {
    const { code, client } = await aPartner()
    const suspended = await run('partner:suspend', code, '--reason=долг')
    assert.deepEqual(
      [suspended.exitCode, outcomeOf(await client.get('/events'))],
      [0, '403 PARTNER_DISABLED']
    )
    const resumed = await run('partner:resume', code)
    assert.deepEqual([resumed.exitCode, outcomeOf(await client.get('/events'))], [0, '200'])
  })

  test('refuses invalid input with a message', async ({ assert }) => {
    const { code } = await aPartner()
    const cases: [string, string[], RegExp][] = [
      ['partner:create', [code, '--name=x'], /ALREADY_EXISTS.*\n.*partner/],
      ['partner:create', ['Bad Code', '--name=x'], /INVALID_PARAMETERS/],
      ['partner:create', [aCode(), '--name=x', '--hold-seconds=0'], /INVALID_PARAMETERS/],
      ['partner:key', ['nobody'], /NO_SUCH/],
      ['partner:key', [code, '--revoke=pk_sandbox_x'], /NO_SUCH/],
      ['partner:suspend', ['nobody'], /NO_SUCH/],
      ['partner:resume', ['nobody'], /NO_SUCH/],
    ]
    for (const [name, args, words] of cases) {
      const { exitCode, text } = await run(name, ...args)
      assert.equal(exitCode, 1, `${name} ${args}`)
      assert.match(text, words, `${name} ${args}`)
    }
  })

  test('does not revoke a key of another partner', async ({ assert }) => {
    const [one, other] = [await aPartner(), await aPartner()]
    const { exitCode } = await run(
      'partner:key',
      one.code,
      `--revoke=${other.client.credentials.apiKey}`
    )
    assert.equal(exitCode, 1)
    assert.equal(outcomeOf(await other.client.get('/events')), '200')
  })
})

test.group('grant:give, grant:revoke', () => {
  test('a partner books with a grant, and not after it is revoked', async ({ assert }) => {
    const [partner, event] = [await aPartner(), await anEvent()]
    const given = await run('grant:give', partner.code, event.id)
    const booked = await book(partner.client, event.id, ['seat-1-1'])
    const revoked = await run('grant:revoke', partner.code, event.id, '--reason=договор')
    const refused = await book(partner.client, event.id, ['seat-1-2'])
    assert.deepEqual([given.exitCode, revoked.exitCode], [0, 0])
    assert.deepEqual([outcomeOf(booked), outcomeOf(refused)], ['201', '403 ACCESS_DENIED'])
  })

  test('refuses an unknown partner, an unknown event and a missing grant', async ({ assert }) => {
    const [partner, event] = [await aPartner(), await anEvent()]
    const cases: [string, string[], RegExp][] = [
      ['grant:give', ['nobody', event.id], /NO_SUCH/],
      ['grant:give', [partner.code, NO_EVENT], /EVENT_NOT_FOUND/],
      ['grant:revoke', [partner.code, event.id], /NO_SUCH.*\n.*grant/],
    ]
    for (const [name, args, words] of cases) {
      const { exitCode, text } = await run(name, ...args)
      assert.equal(exitCode, 1)
      assert.match(text, words)
    }
  })
})

test.group('storefront', () => {
  const statusOf = async (eventId: string, seat: string) => {
    const [row] = await rows(
      `SELECT seat_status(state, hold_until, now()) AS status FROM event_seats WHERE event_id = $1 AND space_id = $2`,
      [eventId, seat]
    )
    return row.status as string
  }
  const hold = async (eventId: string, ...seats: string[]) => {
    const outcome = await run(
      'storefront',
      'hold',
      eventId,
      ...seats.map((seat) => `--seat=${seat}`)
    )
    return { ...outcome, cart: /crt_\w+/.exec(outcome.text)?.[0] }
  }

  test('holds, releases and sells the seats that partners see', async ({ assert }) => {
    const { client, event } = await aSale()
    const first = await hold(event.id, 'seat-1-1', 'seat-1-2')
    assert.equal(outcomeOf(await book(client, event.id, ['seat-1-1'])), '409 SEATS_NOT_AVAILABLE')

    const released = await run('storefront', 'release', event.id, `--cart=${first.cart}`)
    assert.match(released.text, /2 seats/)
    assert.equal(await statusOf(event.id, 'seat-1-1'), 'free')

    const second = await hold(event.id, 'seat-1-1')
    const sold = await run('storefront', 'sell', event.id, `--cart=${second.cart}`)
    assert.equal(sold.exitCode, 0)
    assert.equal(await statusOf(event.id, 'seat-1-1'), 'sold')
  })

  test('refuses impossible requests with a message', async ({ assert }) => {
    const { client, event } = await aSale()
    await book(client, event.id, ['seat-1-1'])
    const cases: [string[], RegExp][] = [
      [['hold', event.id, '--seat=seat-1-1'], /SEATS_NOT_AVAILABLE.*\n.*seat-1-1/],
      [['hold', event.id, '--seat=seat-9-9'], /SEATS_UNKNOWN/],
      [['hold', event.id], /INVALID_PARAMETERS/],
      [['hold', NO_EVENT, '--seat=seat-1-1'], /EVENT_NOT_FOUND/],
      [['sell', event.id], /--cart/],
      [['sell', event.id, `--cart=crt_${'0'.repeat(26)}`], /BOOKING_EXPIRED/],
      [['give', event.id, '--cart=x'], /hold, release or sell/],
    ]
    for (const [args, words] of cases) {
      const { exitCode, text } = await run('storefront', ...args)
      assert.equal(exitCode, 1, String(args))
      assert.match(text, words, String(args))
    }
  })
})

test.group('gate:device', () => {
  test('a new device’s key works, and its name is in use', async ({ assert }) => {
    const name = `Gate ${randomUUID()}`
    const made = await run('gate:device', name)
    const [key] = /gk_[\w-]+/.exec(made.text)!
    const scan = await postScan({ event_id: 'x', qr_token: 'x' }, { 'X-Gate-Key': key })
    const again = await run('gate:device', name)

    assert.equal(outcomeOf(scan), '422 QR_INVALID')
    assert.equal(again.exitCode, 1)
    assert.match(again.text, /ALREADY_EXISTS/)
    const stored = await rows('SELECT * FROM gate_devices WHERE name = $1', [name])
    assert.notInclude(JSON.stringify(stored), key)
  })
})

test.group('signature:check', () => {
  test('the published vector matches', async ({ assert }) => {
    const { exitCode, text } = await run('signature:check')
    assert.equal(exitCode, 0)
    assert.isAtLeast(text.split('matches').length - 1, 2)
    assert.notInclude(text, 'differs')
  })

  test('signs the given parts', async ({ assert }) => {
    const { text } = await run(
      'signature:check',
      '--secret=secret',
      '--timestamp=1764597600',
      '--method=POST',
      '--uri=/api/v1/partners/bookings',
      '--body={"a":1}'
    )
    // printf '1764597600\nPOST\n/api/v1/partners/bookings\n{"a":1}' | openssl dgst -sha256 -hmac secret
    const signature = '3b7e2b1db5fc8ac8986e0dfc6d97a26645b4d0455e77beebfcddfa7e81734aeb'
    assert.include(text, `X-Timestamp: 1764597600\nX-Signature: ${signature}`)
  })
})

test.group('sandbox:seed', () => {
  test('creates halls, events, partners, keys and people once, however often it runs', async ({
    assert,
  }) => {
    const url = 'http://sandbox.test/api/v1/partners'
    const first = await seedSandbox(url, {})
    const before = await sizes()
    const second = await seedSandbox(url, first)

    assert.deepEqual(second, first)
    assert.deepEqual(await sizes(), before)
    assert.isAtLeast(first.events.length, 8)
  })

  test('writes its credentials to a chosen file that only its owner can read', async ({
    assert,
  }) => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-'))
    const file = join(directory, 'credentials.json')
    const { exitCode, text } = await run('sandbox:seed', `--file=${file}`)
    const { mode } = await stat(file)
    const sandbox = JSON.parse(await readFile(file, 'utf8')) as { partners: object[] }
    await rm(directory, { recursive: true })

    assert.equal(exitCode, 0)
    assert.include(text, file)
    assert.equal(mode & 0o777, 0o600)
    assert.isAbove(sandbox.partners.length, 3)
  })

  test('keeps later changes: it gives and revokes no grant again', async ({ assert }) => {
    const { events } = await seedSandbox('http://sandbox.test', {})
    const idOf = (wanted: string) => events.find(({ purpose }) => purpose === wanted)!.event_id
    const change = (wanted: string, access: 'active' | 'revoked') =>
      new ChangeGrant().handle({
        partnerCode: 'bulk',
        eventId: idOf(wanted),
        access,
        reason: null,
        actor: TESTER,
      })
    await change('revoked', 'active')
    await change('closed', 'revoked')
    const grants = () =>
      rows('SELECT partner_id, event_id, access, updated_at FROM event_grants ORDER BY 1, 2')
    const before = await grants()
    await seedSandbox('http://sandbox.test', {})
    assert.deepEqual(await grants(), before)
  })

  test('its credentials can sell', async ({ assert }) => {
    const { partners, events } = await seedSandbox('http://sandbox.test', {})
    const demo = partners.find(({ code }) => code === 'demo')!
    const client = new PartnerClient({ apiKey: demo.api_key, secret: demo.secret })
    const statuses: Record<string, string> = {}
    for (const { purpose, event_id: id } of events) {
      const answer = await client.get(`/events/${id}`)
      statuses[purpose] = answer.data?.status ?? answer.error.code
    }
    assert.deepEqual(statuses, {
      open: 'sales_open',
      arena: 'sales_open',
      paused: 'sales_paused',
      scheduled: 'sales_scheduled',
      closed: 'sales_closed',
      cancelled: 'cancelled',
      ungranted: 'ACCESS_DENIED',
      revoked: 'ACCESS_DENIED',
    })
  })

  test('polling with its cursor shows the cancelled event and the revoked grant', async ({
    assert,
  }) => {
    const { partners, events } = await seedSandbox('http://sandbox.test', {})
    const idOf = (wanted: string) => events.find(({ purpose }) => purpose === wanted)!.event_id
    const demo = partners.find(({ code }) => code === 'demo')!
    const client = new PartnerClient({ apiKey: demo.api_key, secret: demo.secret })
    const { data, json } = await client.get(`/events?updated_since=${demo.feed_cursor}`)
    const stateOf = (id: string) => data.find((event: any) => event.event_id === id)
    assert.equal(stateOf(idOf('cancelled')).status, 'cancelled')
    assert.equal(stateOf(idOf('revoked')).access, 'revoked')
    const later = await client.get(`/events?updated_since=${json.meta.cursor}`)
    assert.deepEqual(later.data, [])
  })

  test('its gate admits a ticket once and rejects a link', async ({ assert }) => {
    const { partners, events, gate } = await seedSandbox('http://sandbox.test', {})
    const demo = partners.find(({ code }) => code === 'demo')!
    const client = new PartnerClient({ apiKey: demo.api_key, secret: demo.secret })
    const { event_id: eventId } = events.find(({ purpose }) => purpose === 'arena')!
    const sectors = await client.get(`/events/${eventId}/seats`)
    const seats = await client.get(`/events/${eventId}/seats?sector=${sectors.data[0].sector_id}`)
    const free = seats.data.find((seat: any) => seat.is_sellable)
    const { tickets } = await sell(client, eventId, [free.space_id as string])
    const scan = async (token: string) => {
      const answer = await fetch(`${testBaseUrl()}/api/v1/gate/scans`, {
        method: 'POST',
        headers: { 'X-Gate-Key': gate.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ event_id: eventId, qr_token: token }),
      })
      const { data, error } = (await answer.json()) as any
      return data?.verdict ?? error.code
    }
    assert.equal(await scan(tickets[0].qr_token as string), 'admitted')
    assert.equal(await scan(tickets[0].qr_token as string), 'TICKET_ALREADY_USED')
    assert.equal(await scan(tickets[0].pdf_url as string), 'QR_INVALID')
  })
})

test.group('queue:work', () => {
  test('stores what the clock has decided, and ends on a signal', async ({ assert }) => {
    const { client, event } = await aSale()
    const first = await book(client, event.id, ['seat-1-1'])
    const second = await book(client, event.id, ['seat-1-2'])
    const { data: placed } = await order(client, second.data.booking_id)
    await rows(`UPDATE bookings SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      first.data.booking_id,
    ])
    await rows(`UPDATE orders SET window_ends_at = now() - interval '1 minute' WHERE id = $1`, [
      placed.order_id,
    ])

    const { child, ended } = start(['queue:work'])
    const written = `SELECT count(*) FROM journal WHERE event_id = $1 AND actor_kind = 'clock'`
    const deadline = Date.now() + 20_000
    while ((await count(written, [event.id])) < 2 && Date.now() < deadline) await sleep(100)
    child.kill('SIGTERM')
    const { exitCode } = await ended

    const names = await rows(
      `SELECT name FROM journal WHERE event_id = $1 AND actor_kind = 'clock' ORDER BY name`,
      [event.id]
    )
    assert.deepEqual(names, [{ name: 'booking_expired' }, { name: 'order_expired' }])
    assert.equal(exitCode, 0)
    const stored = `SELECT stored_status FROM bookings WHERE id = $1`
    assert.deepEqual(await rows(stored, [first.data.booking_id]), [{ stored_status: 'expired' }])
  })
})

const sizes = () =>
  rows(`SELECT (SELECT count(*) FROM halls) AS halls, (SELECT count(*) FROM events) AS events,
               (SELECT count(*) FROM partners) AS partners, (SELECT count(*) FROM partner_keys) AS keys,
               (SELECT count(*) FROM event_grants) AS grants, (SELECT count(*) FROM staff) AS staff`)
