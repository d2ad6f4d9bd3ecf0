import { cp, copyFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Checks } from '../checks.ts'
import { packagesDirectory, runTool } from '../tools.ts'
import type { Judge, Product } from '../types.ts'

const CLIENTS = join(import.meta.dirname, '../clients')

interface Sale {
  eventTitle: string
  seats: { id: string; label: string; price: number }[]
  problem: { code: string; expected?: number; field?: string }
  orderId: string
  email: string
  paidAt?: string
  tickets: { number: string; seat: string; token: string | null; pdf: string }[]
}

const generatedClients: Judge = {
  name: 'generated_clients',
  about: 'generates three clients, compiles them and sells two tickets with each',
  needs: 'product',
  async run(product) {
    const checks = new Checks()
    const cwd = await prepare(product)
    const generators = await Promise.all([
      runTool('.bin/openapi-typescript', ['openapi.yaml', '-o', 'generated/openapi_fetch.ts'], {
        cwd,
      }),
      runTool('.bin/openapi-ts', ['--file', 'hey_api.config.mjs'], { cwd }),
      runTool('.bin/orval', ['--config', 'orval.config.mjs'], { cwd }),
    ])
    const names = ['openapi_fetch', 'hey_api', 'orval']
    for (const [nth, { code, stdout, stderr }] of generators.entries())
      checks.expect(code === 0, `${names[nth]} generates a client`, stdout + stderr)

    const { code, stdout } = await runTool('.bin/tsc', ['--project', '.'], { cwd })
    if (!checks.expect(code === 0, 'The clients and their shops compile under --strict', stdout))
      return checks.verdict
    // In turn, because each takes the first free seats.
    for (const name of names) await sell(checks, product, cwd, name)
    return checks.verdict
  },
}

async function prepare({ scratchDirectory, descriptionFile }: Product) {
  const directory = join(scratchDirectory, 'clients')
  await cp(CLIENTS, directory, { recursive: true })
  await copyFile(descriptionFile, join(directory, 'openapi.yaml'))
  await symlink(packagesDirectory, join(directory, 'node_modules'))
  return directory
}

async function sell(checks: Checks, product: Product, cwd: string, name: string) {
  const { apiUrl, events, partners } = product
  const env = {
    PARTNER_BASE_URL: apiUrl,
    PARTNER_API_KEY: partners.bulk.apiKey,
    PARTNER_SECRET: partners.bulk.secret,
    EVENT_ID: events.open,
  }
  const { code, stdout, stderr } = await runTool(join(cwd, `${name}.ts`), [], { cwd, env })
  if (!checks.expect(code === 0, `The shop of ${name} sells two tickets`, stdout + stderr)) return
  const sale = JSON.parse(stdout) as Sale
  const expected = sale.seats.reduce((sum, { price }) => sum + price, 0)
  checks.expect(expected > 0, `${name} reads prices of seats`, sale.seats)
  checks.expect(
    sale.seats.every(({ label }) => /\S-\S/.test(label)),
    `${name} reads labels of seats`,
    sale.seats
  )
  checks.expect(sale.eventTitle !== '', `${name} reads the title of the event`, sale)
  checks.expect(
    sale.email === 'guest@example.kz',
    `${name} reads the e-mail of the order`,
    sale.email
  )
  checks.expect(sale.tickets.length === 2, `${name} reads two tickets`, sale.tickets)
  checks.expect(
    sale.tickets.every(({ token }) => token?.length === 544),
    `${name} reads tokens`,
    sale.tickets
  )
  checks.expect(
    sale.tickets
      .map(({ seat }) => seat)
      .sort()
      .join() ===
      sale.seats
        .map(({ id }) => id)
        .sort()
        .join(),
    `${name} reads the seats of the tickets`,
    sale
  )
  checks.expect(
    sale.problem.code === 'INVALID_PARAMETERS' &&
      sale.problem.expected === expected &&
      sale.problem.field === 'payment_info.amount_tenge',
    `${name} reads the details of a refused confirm`,
    sale.problem
  )
}

export default generatedClients
