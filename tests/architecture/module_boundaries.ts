const CORE = ['sales', 'tickets', 'inventory', 'partners', 'catalog', 'shared'] as const

/** What finance works with; each is below the ones before it. */
const FINANCE = ['reporting', 'workbooks', 'reconciliation', 'defects', 'ledger', 'runs'] as const

/** module → the modules of ours that it may import, besides itself. Arrows only go down. */
// prettier-ignore
export const MAY_IMPORT: Record<string, readonly string[]> = {
  partner_api:    ['http', ...CORE],
  back_office:    ['staff_area', 'http', 'webhooks', 'staff', ...CORE],
  finance:        ['staff_area', 'http', ...FINANCE, 'mail', ...CORE],
  gate:           ['staff_area', 'http', 'staff', 'tickets', 'catalog', 'shared'],
  staff_area:     ['http', 'staff', 'shared'],
  public_files:   ['http', 'tickets', 'catalog', 'shared'],
  console:        [...FINANCE, 'webhooks', 'staff', ...CORE],
  worker:         ['http', ...FINANCE, 'spreadsheets', 'webhooks', 'staff', 'telemetry', ...CORE],
  http:           ['telemetry', 'shared'],
  telemetry:      ['shared'],
  reporting:      ['workbooks', 'defects', 'reconciliation', 'ledger', 'runs', 'mail', 'partners', 'shared'],
  workbooks:      ['reconciliation', 'defects', 'ledger', 'runs', 'sales', 'tickets', 'partners', 'catalog', 'spreadsheets', 'shared'],
  reconciliation: ['defects', 'ledger', 'runs', 'sales', 'tickets', 'partners', 'catalog', 'spreadsheets', 'shared'],
  defects:        ['ledger', 'staff', 'sales', 'tickets', 'partners', 'catalog', 'shared'],
  ledger:         ['staff', 'sales', 'tickets', 'partners', 'catalog', 'shared'],
  runs:           ['spreadsheets', 'partners', 'shared'],
  webhooks:       ['partners', 'shared'],
  sales:          ['tickets', 'inventory', 'partners', 'catalog', 'staff', 'shared'],
  tickets:        ['catalog', 'shared'],
  inventory:      ['catalog', 'shared'],
  partners:       ['catalog', 'shared'],
  catalog:        ['shared'],
  staff:          ['shared'],
  spreadsheets:   ['shared'],
  mail:           ['shared'],
  shared:         [],
}

/** They speak HTTP or the shell; everything else is the core and never does. */
export const DOORS = [
  'partner_api',
  'back_office',
  'finance',
  'gate',
  'public_files',
  'console',
  'staff_area',
  'http',
  'worker',
  'telemetry',
]

/**
 * What several doors stand on: `staff_area` signs staff in and knows what each may do, `http` holds what all answers
 * have in common, `telemetry` measures.
 */
export const SHARED_BY_DOORS = ['staff_area', 'http', 'telemetry']

/** What configures the product is read by doors; the core knows only what a deployment decides about the contract. */
export const CONFIGURATION_OF_CORE = ['#config/platform', '#config/mail']

/** A request, a response, a form or a page: none of the core's business. */
export const HTTP_ONLY =
  /^(@adonisjs\/core\/(http|types\/http|bodyparser|services\/(router|server))|@adonisjs\/(inertia|session|shield|auth|static|vite|limiter)|@vinejs\/|node:https?$)/

/** Calls partners; it serves nobody. */
export const MAY_CALL_OUT = ['app/webhooks/deliver_webhooks/post.ts']
