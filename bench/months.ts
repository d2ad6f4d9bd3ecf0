import { parseArgs } from 'node:util'
import type pg from 'pg'
import { log } from '../dev/output.ts'
import { createEphemeralDirectory, removeServices } from '../dev/start_services.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { salesOfSites } from './comparisons.ts'
import { fillMonths, WHOLE_ORDER_EVERY } from './fill_months.ts'
import { LoadGenerator } from './load_generator.ts'
import { formatMarkdown, table } from './markdown.ts'
import { measureMonths } from './measure_months.ts'
import { measurePages } from './measure_pages.ts'
import { ratioOf, takeTurns } from './rounds.ts'
import { startTwins } from './testbed.ts'

/** Pages of fifteen orders are measured, and one order in 101 has all that its page shows. */
const FEWEST = 2_000
const SALES = { rounds: 9, durationMs: 2_200, warmUpMs: 2_500 }
/** What a page, a list or a search may take in the large database, of what it takes in the small one. */
const MOST = 1.1
const USAGE = `npm run bench:months -- [--orders 10000000] [--months 24] [--whole]
  Fills a database with so many orders and five times as many entries of the journal, and compares sales, pages, lists and searches,
  and the statements that they ask of it, with a database that is one day old and sells as much a day. 10,000,000 orders need some
  40 GB. With --whole every order has its booking, seat, ticket and ledger, not one in ${WHOLE_ORDER_EVERY}: twice as much.`

/** Prints three tables. Returns the exit code: 1 when sales or a page of the large database are slower than they may be. */
export async function benchMonths(args: string[], cleanup: AsyncDisposableStack): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      orders: { type: 'string' },
      months: { type: 'string' },
      whole: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const large = { orders: Number(values.orders ?? 100_000), months: Number(values.months ?? 24) }
  const aDay = Math.round(large.orders / large.months / 30)
  const small = { orders: Math.max(aDay, FEWEST), months: 0 }
  const sizes = { small, large }
  const wholeEvery = values.whole ? 1 : WHOLE_ORDER_EVERY
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  const generator = new LoadGenerator()
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  cleanup.defer(() => generator.stop())
  const testbed = await startTwins({ supervisor, directory, arenas: 6 }, (database, site) =>
    fill(database, site, { ...sizes[site], wholeEvery })
  )
  cleanup.defer(() => testbed.small.database.end().then(() => testbed.large.database.end()))

  // Sales first: then the newest orders are of other buyers than those that are searched for.
  log('Measuring sales')
  const sales = await takeTurns(generator, salesOfSites(testbed, 'flow'), SALES)
  log('Measuring pages')
  const pages = await measurePages(
    { ...testbed.small, orders: small.orders },
    { ...testbed.large, orders: large.orders }
  )
  log('Measuring statements')
  const statements = await measureMonths(
    { url: testbed.small.ownerUrl, orders: small.orders },
    { url: testbed.large.ownerUrl, orders: large.orders }
  )

  const slower = ratioOf(sales.ours, sales['at scale'])
  const isMet = slower <= MOST && pages.every(({ ratio }) => ratio <= MOST)
  const perSecond = [sales.ours, sales['at scale']].map((each) => each.perSecond.toFixed(0))
  const saleLine = ['booking, order and confirm, a second', ...perSecond, slower.toFixed(2)]
  const report = [
    table(
      ['page', 'small, ms', 'large, ms', `ratio (≤ ${MOST})`],
      pages.map(({ name, smallMs, largeMs, ratio }) => [
        name,
        smallMs.toFixed(1),
        largeMs.toFixed(1),
        ratio <= MOST ? ratio.toFixed(2) : `**${ratio.toFixed(2)}**`,
      ]),
      ['left', 'right', 'right', 'right']
    ),
    table(
      ['sale', 'small', 'large', `ratio (≤ ${MOST})`],
      [saleLine],
      ['left', 'right', 'right', 'right']
    ),
    table(
      ['statement', 'small, µs', 'large, µs', 'ratio', 'small, pages', 'large, pages'],
      statements.map(({ name, smallUs, largeUs, smallBuffers, largeBuffers }) => [
        name,
        smallUs.toFixed(0),
        largeUs.toFixed(0),
        (largeUs / smallUs).toFixed(2),
        String(smallBuffers),
        String(largeBuffers),
      ]),
      ['left', 'right', 'right', 'right', 'right', 'right']
    ),
  ]
  console.log(`\n${await formatMarkdown(report.join('\n\n'))}`)
  return isMet ? 0 : 1
}

interface Size {
  orders: number
  /** 0: of the last day. */
  months: number
}
interface Filling extends Size {
  /** One order in so many has all that a sale leaves. */
  wholeEvery: number
}

async function fill(database: pg.Client, name: string, { orders, months, wholeEvery }: Filling) {
  const began = performance.now()
  await fillMonths(database, orders, months, wholeEvery)
  const { rows } = await database.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size'
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  log(`${name}: ${orders} orders in ${months} months, ${rows[0].size}, filled in ${seconds} s`)
}
