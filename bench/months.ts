import { parseArgs } from 'node:util'
import pg from 'pg'
import { ace } from '../dev/application.ts'
import { testVariables } from '../dev/environment.ts'
import { log } from '../dev/output.ts'
import { freePort } from '../dev/ports.ts'
import { createEphemeralDirectory, removeServices, startServices } from '../dev/start_services.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { fillMonths } from './fill_months.ts'
import { formatMarkdown, table } from './markdown.ts'
import { measureMonths } from './measure_months.ts'

const SMALL = { orders: 10_000, months: 1 }
const USAGE = `npm run bench:months -- [--orders 10000000] [--months 24]
  Fills a database with so many orders and five times as many entries of the journal, and compares what sales, lists and searches
  ask of it with a database of ${SMALL.orders} orders in one month. 10,000,000 orders need some 40 GB.`

/** Prints a table, and ends with 0: it has no target of its own. */
export async function benchMonths(args: string[], cleanup: AsyncDisposableStack): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { orders: { type: 'string' }, months: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const large = { orders: Number(values.orders ?? 100_000), months: Number(values.months ?? 24) }
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  const services = await startServices({ directory, ephemeral: true, supervisor })
  const env = await testVariables(services, directory, await freePort())
  await supervisor.run(ace('migrations', ['migration:run', '--force', '--compact-output'], env))

  const small = await fill(services.databaseUrl, 'months_small', SMALL)
  const filled = await fill(services.databaseUrl, 'months_large', large)
  log('Measuring')
  const figures = await measureMonths(small, filled)
  const head = ['statement', 'small, µs', 'large, µs', 'ratio', 'small, pages', 'large, pages']
  const lines = figures.map(({ name, smallUs, largeUs, smallBuffers, largeBuffers }) => [
    name,
    smallUs.toFixed(0),
    largeUs.toFixed(0),
    (largeUs / smallUs).toFixed(2),
    String(smallBuffers),
    String(largeBuffers),
  ])
  const aligned = table(head, lines, ['left', 'right', 'right', 'right', 'right', 'right'])
  console.log(`\n${await formatMarkdown(aligned)}`)
  return 0
}

async function fill(url: string, name: string, { orders, months }: typeof SMALL) {
  const own = new URL(url)
  const template = own.pathname.slice(1)
  own.pathname = '/postgres'
  await ask(own.href, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  own.pathname = `/${name}`
  const began = performance.now()
  await ask(own.href, (client) => fillMonths(client, orders, months))
  const size = await ask(own.href, async (client) => {
    const { rows } = await client.query<{ size: string }>(
      'SELECT pg_size_pretty(pg_database_size(current_database())) AS size'
    )
    return rows[0].size
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  log(`${name}: ${orders} orders in ${months} months, ${size}, filled in ${seconds} s`)
  return { url: own.href, orders }
}

async function ask<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
