import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { aReceiver } from '#tests/support/receiver'
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  inDatabase,
} from '#tests/support/other_database'
import { one, ownerOne, ownerRows } from '#tests/support/rows'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { archiveMonths } from '#worker/keep_months'
import { runJob } from '#worker/jobs'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const EMPTY = 'months_empty'
const TRIED = 'months_tried'

interface Month {
  name: string
  from: string | null
  until: string | null
}

const monthsOf = (table: string) =>
  ownerRows(
    `SELECT partition_name AS name, from_at::date::text AS from, until_at::date::text AS until FROM month_partitions
      WHERE table_name = ? ORDER BY from_at NULLS FIRST, until_at NULLS LAST`,
    table
  ) as Promise<Month[]>

const insertEntry = (at: string) =>
  one(
    `INSERT INTO journal (at, name, actor_kind, actor) VALUES (${at}, 'hall_imported', 'console', 'tests')
     RETURNING id, tableoid::regclass::text AS partition`
  )

const failureOf = async (work: Promise<unknown>) => {
  try {
    await work
    return undefined
  } catch (error) {
    return error as { code?: string; message: string }
  }
}
const codeOf = async (work: Promise<unknown>) => {
  const failure = await failureOf(work)
  return failure?.code
}

/** The journal of a database that is years old: its first partition ends with January 2021, and the next two are one month each. */
async function ageJournal() {
  await ownerRows('ALTER TABLE journal DETACH PARTITION journal_first')
  await ownerRows('ALTER TABLE journal_first RENAME TO journal_2021_04')
  const attach = await one(
    `SELECT format('ALTER TABLE journal ATTACH PARTITION journal_2021_04 FOR VALUES FROM (''2021-04-01'') TO (%L)', first_bound) AS sql
       FROM monthly_tables WHERE table_name = 'journal'`
  )
  await ownerRows(attach.sql as string)
  for (const [name, from, to] of [
    ['journal_first', 'MINVALUE', `'2021-02-01'`],
    ['journal_2021_02', `'2021-02-01'`, `'2021-03-01'`],
    ['journal_2021_03', `'2021-03-01'`, `'2021-04-01'`],
  ])
    await ownerRows(
      `SELECT attach_partition('journal', ?, ?)`,
      name,
      `FOR VALUES FROM (${from}) TO (${to})`
    )
}

/** A sale and an endpoint are in the database that each test gets a copy of. */
async function fillOnce() {
  const sale = await aSale()
  const { url, close } = await aReceiver()
  close()
  await new SetEndpoint().handle({ partnerCode: sale.partner.code, url, actor: TESTER })
  return sale
}

const deliver = (journalId: unknown) =>
  one(
    `INSERT INTO webhook_deliveries (endpoint_id, journal_id, subject)
     SELECT id, ?, 'evt_1' FROM webhook_endpoints LIMIT 1 RETURNING journal_at`,
    journalId
  )

test.group('Tables that are partitioned by month', (group) => {
  let sale: Awaited<ReturnType<typeof fillOnce>>
  group.setup(async () => {
    await createDatabase(EMPTY)
    sale = await inDatabase(EMPTY, fillOnce)
  })
  group.each.setup(() => cloneDatabase(EMPTY, TRIED))
  group.each.timeout(30_000)

  for (const table of ['journal', 'confirm_attempts'])
    test(`${table} has partitions up to three months ahead, without a gap, and one for the rest`, async ({
      assert,
    }) => {
      const months = await inDatabase(TRIED, async () => {
        await runJob('keep_months', {})
        return monthsOf(table)
      })
      const { last } = await one(
        `SELECT (date_trunc('month', now()) + interval '4 months')::date::text AS last`
      )
      const dated = months.filter(({ until }) => until !== null)
      assert.equal(dated.at(-1)!.until, last)
      assert.deepEqual(
        dated.slice(1).map(({ from }) => from),
        dated.slice(0, -1).map(({ until }) => until)
      )
      assert.deepEqual(
        months.filter(({ until }) => until === null).map(({ name }) => name),
        [`${table}_default`]
      )
    })

  test('a row is stored when its month is missing; the job makes a month of such rows', async ({
    assert,
  }) => {
    await inDatabase(TRIED, async () => {
      const late = await insertEntry(`now() + interval '6 months'`)
      assert.equal(late.partition, 'journal_default')
      await runJob('keep_months', {})
      const moved = await one(
        'SELECT tableoid::regclass::text AS partition FROM journal WHERE id = ?',
        late.id
      )
      assert.match(moved.partition as string, /^journal_20\d\d_\d\d$/)
      const next = await insertEntry(`now() + interval '12 months'`)
      assert.equal(next.partition, 'journal_default')
    })
  })

  test('rows that deliveries refer to become a month, too, and the reference is checked again by the next job', async ({
    assert,
  }) => {
    const isChecked = async () => {
      const { checked } = await one(
        `SELECT convalidated AS checked FROM pg_constraint WHERE conname = 'webhook_deliveries_journal_fkey'`
      )
      return checked as boolean
    }
    await inDatabase(TRIED, async () => {
      const late = await insertEntry(`now() + interval '6 months'`)
      assert.equal(late.partition, 'journal_default')
      await deliver(late.id)
      await runJob('keep_months', {})
      const moved = await one(
        'SELECT tableoid::regclass::text AS partition FROM journal WHERE id = ?',
        late.id
      )
      assert.match(moved.partition as string, /^journal_20\d\d_\d\d$/)
      const elsewhere = ownerRows(
        `UPDATE webhook_deliveries SET journal_at = journal_at + interval '1 second' WHERE journal_id IS NOT NULL`
      )
      assert.equal(await codeOf(elsewhere), '23503')
      assert.isFalse(await isChecked())
      await runJob('keep_months', {})
      assert.isTrue(await isChecked())
    })
  })

  test('rows of a clock that is a year ahead do not become a month', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      await insertEntry(`now() + interval '13 months'`)
      const failure = await failureOf(runJob('keep_months', {}))
      assert.include(failure?.message, 'the clock may be wrong')
    })
  })

  test('ids go on over all partitions', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      const ids = []
      for (const at of ['now()', `now() + interval '2 months'`, `now() + interval '3 months'`]) {
        const { id } = await insertEntry(at)
        ids.push(id as bigint)
      }
      assert.deepEqual(ids, [ids[0], ids[0] + 1n, ids[0] + 2n])
    })
  })

  test('no month of the journal can be changed or emptied by its own name', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      const months = await monthsOf('journal')
      await insertEntry(`now() + interval '2 months'`)
      const { partition } = await insertEntry(`now() + interval '2 months'`)
      for (const sql of [
        `UPDATE ${partition} SET actor = 'somebody else'`,
        `DELETE FROM ${partition}`,
        ...months.map(({ name }) => `TRUNCATE ${name} CASCADE`),
      ])
        assert.equal(await codeOf(ownerRows(sql)), '23001', sql)
    })
  })

  test('creating months gives up rather than holding up sales, and is tried again', async ({
    assert,
  }) => {
    await inDatabase(TRIED, async () => {
      const { client, event } = sale
      const reading = await db.transaction()
      await reading.rawQuery('SELECT count(*) FROM journal')
      try {
        const creating = codeOf(ownerRows('SELECT create_months(12)'))
        const sold = await sell(client, event.id, ['seat-2-1'])
        assert.isNotEmpty(sold.tickets)
        assert.equal(await creating, '55P03')
      } finally {
        await reading.rollback()
      }
      const { created } = await one('SELECT cardinality(create_months(12)) AS created')
      assert.equal(created, 18)
    })
  })

  test('a delivery refers to an entry, and one that names only the id gets its time', async ({
    assert,
  }) => {
    await inDatabase(TRIED, async () => {
      const entry = await one('SELECT max(id) AS id FROM journal')
      const delivery = await deliver(entry.id)
      const { at } = await one('SELECT at FROM journal WHERE id = ?', entry.id)
      assert.deepEqual(delivery.journal_at, at)
      assert.equal(await codeOf(deliver(999_999_999)), '23514')
      const elsewhere = ownerRows(
        `UPDATE webhook_deliveries SET journal_at = journal_at + interval '1 second' WHERE journal_id IS NOT NULL`
      )
      assert.equal(await codeOf(elsewhere), '23503')
    })
  })
})

test.group('Months whose retention is over', (group) => {
  group.setup(() =>
    inDatabase(EMPTY, async () => {
      await ageJournal()
      for (const at of ['2020-05-05', '2021-02-03', '2021-03-04', '2024-01-01'])
        await insertEntry(`'${at}'`)
    })
  )
  group.teardown(async () => {
    await dropDatabase(TRIED)
    await dropDatabase(EMPTY)
  })
  group.each.setup(() => cloneDatabase(EMPTY, TRIED))
  group.each.timeout(30_000)

  /** Keeps everything since 2021-03. */
  const untilMarch2021 = async () => {
    const { months } = await one(
      `SELECT (extract(year FROM age(date_trunc('month', now()), '2021-03-01')) * 12
               + extract(month FROM age(date_trunc('month', now()), '2021-03-01')))::int AS months`
    )
    return months as number
  }

  test('are archived whole, with their rows, which nobody can change', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      await archiveMonths('journal', await untilMarch2021())
      const archived = await ownerRows(
        'SELECT partition_name AS name FROM archived_months ORDER BY until_at'
      )
      assert.deepEqual(
        archived.map(({ name }) => name as string),
        ['journal_first', 'journal_2021_02']
      )
      const left = await one(`SELECT min(at)::date::text AS first FROM journal`)
      assert.equal(left.first, '2021-03-04')
      const kept = await ownerOne('SELECT min(at)::date::text AS at FROM archive.journal_2021_02')
      assert.equal(kept.at, '2021-02-03')
      for (const sql of [
        `UPDATE archive.journal_2021_02 SET actor = 'somebody else'`,
        'DELETE FROM archive.journal_2021_02',
        'TRUNCATE archive.journal_2021_02',
      ])
        assert.equal(await codeOf(ownerRows(sql)), '23001', sql)
      const entries = await ownerRows(
        `SELECT change ->> 'table' AS name FROM journal WHERE name = 'month_archived' ORDER BY id`
      )
      assert.deepEqual(entries, archived)
    })
  })

  test('are kept without a setting', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      await runJob('keep_months', {})
      assert.deepEqual(await ownerRows('SELECT * FROM archived_months'), [])
    })
  })

  test('are never younger than two years, whatever is asked for', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      const failure = await failureOf(archiveMonths('journal', 23))
      assert.include(failure?.message, 'at least 24 months are kept')
    })
  })

  test('stay while a delivery refers to one of them', async ({ assert }) => {
    await inDatabase(TRIED, async () => {
      const { id } = await one(`SELECT id FROM journal WHERE at = '2021-02-03'`)
      await deliver(id)
      await archiveMonths('journal', await untilMarch2021())
      const archived = await ownerRows('SELECT partition_name AS name FROM archived_months')
      assert.deepEqual(archived, [{ name: 'journal_first' }])
    })
  })
})
