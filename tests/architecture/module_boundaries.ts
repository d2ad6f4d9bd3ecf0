const CORE = ['sales', 'tickets', 'inventory', 'partners', 'catalog', 'shared'] as const

/** What finance works with; each is below the ones before it. */
const FINANCE = ['reporting', 'workbooks', 'reconciliation', 'defects', 'ledger', 'runs'] as const

/** module → the modules of ours that it may import, besides itself. Arrows only go down. */
// prettier-ignore
export const MAY_IMPORT: Record<string, readonly string[]> = {
  partner_api:    ['http', ...CORE],
  back_office:    ['http', ...FINANCE, 'mail', 'webhooks', 'staff', ...CORE],
  gate:           ['http', 'tickets', 'catalog', 'shared'],
  public_files:   ['http', 'tickets', 'catalog', 'shared'],
  console:        [...FINANCE, 'webhooks', 'staff', ...CORE],
  health:         ['http', 'telemetry', 'shared'],
  worker:         ['http', ...FINANCE, 'spreadsheets', 'webhooks', 'staff', 'telemetry', ...CORE],
  exceptions:     ['http', 'shared'],
  http:           ['shared'],
  middleware:     ['http', 'telemetry', 'shared'],
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
  ...['partner_api', 'back_office', 'gate', 'public_files', 'health', 'console'],
  ...['exceptions', 'middleware', 'http', 'worker', 'telemetry'],
]

/** They serve nobody themselves: `telemetry` measures doors, `http` is what answers of every door have in common. */
export const SHARED_BY_DOORS = ['telemetry', 'http']

/** What configures the product is read by doors; the core knows only what a deployment decides about the contract. */
export const CONFIGURATION_OF_CORE = ['#config/platform', '#config/mail']

/** A request, a response, a form or a page: none of the core's business. */
export const HTTP_ONLY =
  /^(@adonisjs\/core\/(http|types\/http|bodyparser|services\/(router|server))|@adonisjs\/(inertia|session|shield|auth|static|vite|limiter)|@vinejs\/|node:https?$)/

/** Calls partners; it serves nobody. */
export const MAY_CALL_OUT = ['app/webhooks/post.ts']
