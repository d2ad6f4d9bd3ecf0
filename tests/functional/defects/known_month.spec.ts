import CheckPeriod from '#defects/cases/check_period'
import env from '#start/env'
import { anEvent } from '#tests/support/fixtures'
import { aKnownMonth, type KnownMonth } from '#tests/support/known_month'
import { confirmRegister, COVERS_ALL, matchedRegister } from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import pg from 'pg'

const ORDERS = 10_000
const FIRST_SEED = 1
const DAY_MS = 86_400_000

async function knownMonth(prefix: string) {
  await anEvent()
  const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
  await database.connect()
  try {
    const size = { partnerCode: `known-${prefix.toLowerCase()}`, prefix, orders: ORDERS }
    return await aKnownMonth(database, size, FIRST_SEED)
  } finally {
    await database.end()
  }
}

async function confirmFile(
  { partnerCode }: KnownMonth,
  content: string,
  { sourceName, ...days }: { from: Date; to: Date; sourceName?: string }
) {
  const registerId = await matchedRegister({ code: partnerCode }, content, {
    ...days,
    ...(sourceName && { sourceName }),
    setup: COVERS_ALL,
  })
  await confirmRegister(registerId, { waiver: { reason: 'generated' } })
}

interface Risk {
  key: string
  buyer: number
  platform: number
  partner: number
}

async function risksOf({ partnerId }: KnownMonth) {
  const found = await rows(
    `SELECT key, buyer_tenge::int AS buyer, platform_tenge::int AS platform, partner_tenge::int AS partner
       FROM settlement_cases
      WHERE partner_id = ? AND gone_at IS NULL AND buyer_tenge + platform_tenge + partner_tenge > 0`,
    partnerId
  )
  return found as Risk[]
}

const NOTHING = { buyer: 0, platform: 0, partner: 0 }

/** Stories whose case has other sums, and cases of which nothing is known. */
function wrongOf({ stories }: KnownMonth, risks: Risk[]) {
  const unexplained = new Map(risks.map((risk) => [risk.key, risk]))
  const wrong = stories.flatMap(({ name, seed, keys, buyerTenge, platformTenge }) => {
    const key = keys.find((one) => unexplained.has(one)) ?? keys[0]
    const { buyer, platform, partner } = unexplained.get(key) ?? NOTHING
    unexplained.delete(key)
    const isRight = buyer === buyerTenge && platform === platformTenge && partner === 0
    const expected = `buyer ${buyerTenge} platform ${platformTenge}`
    const judged = `buyer ${buyer} platform ${platform} partner ${partner}`
    return isRight ? [] : [`${name}, seed ${seed}, ${key}: ${expected}, judged ${judged}`]
  })
  return [...wrong, ...[...unexplained.keys()].map((key) => `of no story: ${key}`)]
}

test.group('A month whose truth is known', () => {
  test(`${ORDERS} orders and their registers are judged without one wrong tenge`, async ({
    assert,
  }) => {
    const month = await knownMonth('KM')
    // Enough of each kind to mean something.
    for (const [name, found] of Map.groupBy(month.stories, (story) => story.name))
      assert.isAbove(found.length, 10, name)
    const { partnerId, from, middle, to, files } = month
    await confirmFile(month, files.shop[0], { from, to: middle })
    await confirmFile(month, files.shop[1], { from: middle, to })
    await confirmFile(month, files.bank, { from: middle, to, sourceName: 'Банк' })

    await new CheckPeriod().handle({ partnerId, from, to })
    assert.deepEqual(wrongOf(month, await risksOf(month)), [])

    // A check of a few days is of the same opinion.
    for (let day = from.getTime(); day < to.getTime(); day += 5 * DAY_MS)
      await new CheckPeriod().handle({
        partnerId,
        from: new Date(day),
        to: new Date(Math.min(day + 5 * DAY_MS, to.getTime())),
      })
    assert.deepEqual(wrongOf(month, await risksOf(month)), [])
  }).timeout(300_000)
})
