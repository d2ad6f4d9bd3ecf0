import { newEventKey, openEventKey } from '#catalog/event_keys'
import { ENCRYPTED_COLUMNS, CANARY_COLUMN } from '#key_rotation/encrypted_columns'
import { encryptSecret, newKeyPair } from '#partners/api_key'
import { encryptTotpSecret, newTotpSecret } from '#staff/second_factor'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import {
  createDatabase,
  dropDatabase,
  ownerUrlOf,
  urlOfDatabase,
} from '#tests/support/other_database'
import { PartnerClient } from '#tests/support/partner_client'
import { rows } from '#tests/support/rows'
import { Encryption, drivers } from '@adonisjs/core/encryption'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { start, startWeb } from './support.js'

const SCRATCH = 'secrets_reencrypt'
const FORMER = process.env.APP_KEY!
const PRESENT = 'the present key of at least 32 characters'
const LOST = 'a key of at least 32 characters that is lost'

async function under(key: string) {
  return new Encryption(await drivers.aes256gcm({ id: 'gcm', keys: [key] }).resolver(app))
}

async function inScratch(sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: ownerUrlOf(SCRATCH) })
  await client.connect()
  const found = await client.query(sql, values)
  await client.end()
  return found.rows as Record<string, any>[]
}

test.group('A change of APP_KEY', (group) => {
  const pair = newKeyPair('sandbox')
  const eventKey = newEventKey()
  const totp = newTotpSecret()
  let staffId: number
  group.setup(async () => {
    await createDatabase(SCRATCH)
    const [{ id }] = await inScratch(
      `INSERT INTO partners (code, name) VALUES ('kassa', 'Kassa') RETURNING id`
    )
    await inScratch(
      'INSERT INTO partner_keys (api_key, partner_id, secret_encrypted) VALUES ($1, $2, $3)',
      [pair.apiKey, id, encryptSecret(pair.apiKey, pair.secret)]
    )
    await inScratch(`ALTER TABLE event_keys DROP CONSTRAINT event_keys_event_id_fkey`)
    await inScratch(
      `INSERT INTO event_keys (kid, event_id, private_key_encrypted, public_jwk) VALUES ($1, 'evt_1', $2, $3)`,
      [eventKey.kid, eventKey.privateKeyEncrypted, JSON.stringify(eventKey.publicJwk)]
    )
    const [person] = await inScratch(
      `INSERT INTO staff (email, full_name, role, password) VALUES ('anna@example.kz', 'Anna', 'admin', 'x') RETURNING id`
    )
    staffId = person.id as number
    await inScratch(
      `UPDATE staff SET totp_secret_encrypted = $2, totp_set_at = now() WHERE id = $1`,
      [staffId, encryptTotpSecret(staffId, totp)]
    )
    return () => dropDatabase(SCRATCH)
  })
  group.each.timeout(300_000)

  const ours = () => ({ DATABASE_URL: urlOfDatabase(SCRATCH), LOG_LEVEL: 'fatal' })
  const withBoth = () => ({ ...ours(), APP_KEY: PRESENT, APP_PREVIOUS_KEYS: FORMER })
  const presentAlone = async () => ({
    ...ours(),
    NODE_ENV: 'production',
    APP_KEY: PRESENT,
    PORT: String(await freePort()),
  })
  const sealedNow = async () => {
    const [key] = await inScratch('SELECT secret_encrypted AS sealed FROM partner_keys')
    const [event] = await inScratch('SELECT private_key_encrypted AS sealed FROM event_keys')
    const [person] = await inScratch('SELECT totp_secret_encrypted AS sealed FROM staff')
    const [canary] = await inScratch('SELECT sealed FROM app_key_canary')
    return [key, event, person, canary].map(({ sealed }) => sealed as string)
  }

  test('every encrypted column is known', async ({ assert }) => {
    const found = await rows(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND (column_name LIKE '%encrypted%' OR column_name = 'sealed') ORDER BY 1`
    )
    const known = [...ENCRYPTED_COLUMNS, CANARY_COLUMN].map(
      ({ table, column }) => `${table}.${column}`
    )
    assert.sameMembers(
      found.map(({ name }) => name as string),
      known
    )
  })

  test('a process with the former key among the previous ones serves partners', async ({
    assert,
  }) => {
    const before = await WebProcess.start(ours())
    await before.stop()
    const web = await WebProcess.start(withBoth())
    const answer = await new PartnerClient(pair, web.url).get('/events')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(await web.stop(), 0)
    const alone = await startWeb(await presentAlone()).ended
    assert.equal(alone.exitCode, 1, alone.text)
  })

  test('a row that no key opens keeps the former key needed, until it is given up', async ({
    assert,
  }) => {
    const [, lostEvent] = await sealedNow()
    const { kid } = eventKey
    const lost = await under(LOST)
    const sealed = lost.encrypt('of a lost key', { purpose: `event-key:${kid}` })
    await inScratch('UPDATE event_keys SET private_key_encrypted = $1', [sealed])
    const outcome = await start(['secrets:reencrypt'], withBoth()).ended
    assert.equal(outcome.exitCode, 1, outcome.text)
    assert.include(outcome.text, `event_keys: 1 rows open with none of the keys  ${kid}`)
    const alone = await startWeb(await presentAlone()).ended
    assert.equal(alone.exitCode, 1, alone.text)
    await inScratch('UPDATE event_keys SET private_key_encrypted = $1', [lostEvent])
  })

  test('secrets:reencrypt leaves nothing under the former key; repeated, it changes nothing', async ({
    assert,
  }) => {
    const outcome = await start(['secrets:reencrypt'], withBoth()).ended
    assert.equal(outcome.exitCode, 0, outcome.text)
    assert.include(outcome.text, 'Everything opens with APP_KEY')
    const [key, event, person, canary] = await sealedNow()
    const present = await under(PRESENT)
    assert.equal(present.decrypt(key, `partner-key:${pair.apiKey}`), pair.secret)
    assert.equal(
      present.decrypt(event, `event-key:${eventKey.kid}`),
      openEventKey({
        kid: eventKey.kid,
        private_key_encrypted: eventKey.privateKeyEncrypted,
      }).export({
        type: 'pkcs8',
        format: 'pem',
      })
    )
    assert.equal(present.decrypt(person, `staff-totp:${staffId}`), totp)
    assert.isNotNull(present.decrypt(canary, 'app-key-canary'))

    const again = await start(['secrets:reencrypt'], withBoth()).ended
    assert.equal(again.exitCode, 0, again.text)
    assert.deepEqual(await sealedNow(), [key, event, person, canary])
    const [entry] = await inScratch(
      `SELECT sum((change ->> 'reencrypted')::int)::int AS reencrypted FROM journal WHERE name = 'secrets_reencrypted'`
    )
    // Four values, each once, over both runs.
    assert.equal(entry.reencrypted, 4)
  })

  test('then the present key serves alone, and the former one is refused', async ({ assert }) => {
    const web = await WebProcess.start({ ...ours(), APP_KEY: PRESENT })
    const answer = await new PartnerClient(pair, web.url).get('/events')
    assert.equal(answer.status, 200, answer.text)
    await web.stop()
    const former = await startWeb({ ...(await presentAlone()), APP_KEY: FORMER }).ended
    assert.equal(former.exitCode, 1, former.text)
  })

  test('a secret that is set meanwhile stays', async ({ assert }) => {
    await inScratch('UPDATE partner_keys SET secret_encrypted = $1', [
      encryptSecret(pair.apiKey, pair.secret),
    ])
    const present = await under(PRESENT)
    const other = present.encrypt('another', { purpose: `partner-key:${pair.apiKey}` })
    const setting = new pg.Client({ connectionString: ownerUrlOf(SCRATCH) })
    await setting.connect()
    await setting.query('BEGIN')
    await setting.query('UPDATE partner_keys SET secret_encrypted = $1', [other])
    const reencrypting = start(['secrets:reencrypt'], withBoth()).ended
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`
    for (let looks = 0; looks < 600; looks++) {
      const found = await inScratch(waits, [SCRATCH])
      if (found.length > 0) break
      await delay(100)
    }
    await setting.query('COMMIT')
    await setting.end()
    const outcome = await reencrypting
    assert.equal(outcome.exitCode, 0, outcome.text)
    const [kept] = await sealedNow()
    assert.equal(kept, other)
  })
})
