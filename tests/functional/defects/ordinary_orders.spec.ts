import CheckPeriod from '#defects/cases/check_period'
import { EvidenceSource, type EvidenceScope } from '#defects/facts/evidence'
import { readingPeriod, readStories } from '#defects/facts/read_stories'
import { keepEvidence } from '#register_evidence/keep_evidence'
import { RegisterEvidence } from '#register_evidence/register_evidence'
import env from '#start/env'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { writeRegister } from '#tests/support/filled_register'
import { anEvent } from '#tests/support/fixtures'
import {
  confirmRegister,
  COVERS_ALL,
  decideMatches,
  matchedRegister,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { makeUnusual } from '#tests/support/unusual_orders'
import app from '@adonisjs/core/services/app'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'
import pg from 'pg'

const ORDERS = 2_000

/** Evidence that has something of every order, so that none is ordinary and all are read. */
class EvidenceOfEveryOrder extends EvidenceSource {
  override keep = keepEvidence
  override async read(scope: EvidenceScope, trx: TransactionClientContract) {
    const evidence = await RegisterEvidence.of(scope, trx)
    const orders = await rows('SELECT id FROM orders WHERE partner_id = ?', scope.partnerId)
    evidence.orderIds = () => new Set(orders.map(({ id }) => id as string))
    return evidence
  }
}

const resultsOf = async ({ partnerId }: Month) => ({
  cases: await rows(
    `SELECT key, order_ids, payment_ids, severity, buyer_tenge, platform_tenge, partner_tenge, fault, chain, balance, occurred_at
       FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL ORDER BY key`,
    partnerId
  ),
  defects: await rows(
    `SELECT c.key, d.code, d.subclass, d.severity, d.order_id, d.payment_id, d.exposure_tenge, d.exposure_party, d.hint,
            d.deviation_ms, d.evidence
       FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
      WHERE c.partner_id = ? AND c.gone_at IS NULL AND d.gone_at IS NULL ORDER BY c.key, d.code, d.order_id`,
    partnerId
  ),
  days: await rows(
    'SELECT day, tally FROM settlement_partner_days WHERE partner_id = ? ORDER BY day',
    partnerId
  ),
})

/** How many orders of the month are read and not only counted. */
async function countRead({ partnerId, from, to }: Month) {
  let read = 0
  const listener = { order: () => void read++, story: () => {} }
  const scope = { partnerId, from, to, asOf: new Date(), withOlder: true }
  await readingPeriod((trx) => readStories(scope, listener, trx))
  return read
}

test.group('A month with its ordinary orders only counted', (group) => {
  const scratch = scratchDirectory(group)

  async function aMonth() {
    await anEvent()
    const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
    await database.connect()
    try {
      const size = { partnerCode: 'ordinary', prefix: 'OR', orders: ORDERS, ticketsPerOrder: 1 }
      const month = await fillMonth(database, size)
      const path = scratch.at('register.csv')
      await writeRegister(database, month, { path, rows: ORDERS })
      await makeUnusual(database, month)
      return { month, register: await readFile(path) }
    } finally {
      await database.end()
    }
  }

  test('has the same cases, sums and counts as a month with every order read', async ({
    assert,
    cleanup,
  }) => {
    const { month, register } = await aMonth()
    const { partnerId, partnerCode, from, to } = month
    const check = () => new CheckPeriod().handle({ partnerId, from, to })

    const compare = async (most: number) => {
      assert.isBelow(await countRead(month), most)
      const { orders } = await check()
      assert.equal(orders, ORDERS)
      const counted = await resultsOf(month)
      app.container.swap(EvidenceSource, () => new EvidenceOfEveryOrder())
      cleanup(() => app.container.restore(EvidenceSource))
      assert.equal(await countRead(month), ORDERS)
      await check()
      const read = await resultsOf(month)
      app.container.restore(EvidenceSource)
      assert.isNotEmpty(read.cases)
      assert.deepEqual(counted, read)
    }
    await compare(0.75 * ORDERS)

    const registerId = await matchedRegister({ code: partnerCode }, register, {
      from,
      to,
      setup: COVERS_ALL,
    })
    await decideMatches(registerId, { decision: 'accepted' })
    await confirmRegister(registerId, { waiver: { reason: 'generated' } })
    await compare(0.8 * ORDERS)
  }).timeout(120_000)
})
