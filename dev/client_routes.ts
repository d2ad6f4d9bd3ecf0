import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const FILE = '.adonisjs/client/routes.ts'
/** Routes that no page links to: they stay out of the browser's bundle. */
const NOT_FOR_PAGES = /^(partner_api|health|gate)\./

interface Route {
  name?: string
  pattern: string
}

/**
 * Writes the named routes for the pages, `name: pattern`, from which `resources/routes.ts` makes URLs.
 * Runs with `node ace codegen` and in the development server (`routesCommitted` in adonisrc.ts).
 */
export default async function writeClientRoutes(_: unknown, routes: Record<string, Route[]>) {
  const lines = routes.root
    .filter(({ name, pattern }) => name && !NOT_FOR_PAGES.test(name) && !pattern.includes('*'))
    .map(({ name, pattern }) => `  '${name}': '${pattern}',`)
  const text = [
    '/** Generated from the routes (dev/client_routes.ts). */',
    'export const ROUTES = {',
    ...lines,
    '} as const',
    '',
  ].join('\n')
  const before = await readFile(FILE, 'utf8').catch(() => '')
  if (text === before) return
  await mkdir(dirname(FILE), { recursive: true })
  await writeFile(FILE, text)
}
