/** module → the modules of ours that it imports, besides itself. Arrows only go down; an arrow without an import is taken out. */
// prettier-ignore
export const MAY_IMPORT: Record<string, readonly string[]> = {
  partner_api:    ['http', 'sales', 'tickets', 'inventory', 'partners', 'catalog', 'shared'],
  back_office:    ['staff_area', 'http', 'privacy', 'reconciliation', 'invariants', 'defects', 'case_work', 'ledger', 'webhooks', 'staff', 'sales', 'tickets', 'inventory', 'partners', 'catalog', 'shared'],
  finance:        ['staff_area', 'reporting', 'printing', 'returned_workbooks', 'workbooks', 'reconciliation', 'register_reading', 'rule_comparisons', 'penalties', 'defects', 'case_work', 'ledger', 'runs', 'spreadsheets', 'mail', 'sales',
                   'partners', 'shared'],
  gate:           ['staff_area', 'http', 'staff', 'tickets', 'catalog', 'shared'],
  staff_area:     ['http', 'staff', 'shared'],
  public_files:   ['http', 'tickets', 'catalog', 'shared'],
  // The base of commands/, which stand outside app/ and wire, as start/ does.
  console:        ['shared'],
  worker:         ['http', 'telemetry', 'restores', 'privacy', 'reporting', 'returned_workbooks', 'workbooks', 'reconciliation', 'register_reading', 'rule_comparisons', 'invariants', 'defects', 'ledger', 'runs',
                   'spreadsheets', 'webhooks',
                   'staff', 'sales', 'tickets', 'partners', 'catalog', 'shared'],
  http:           ['telemetry', 'shared'],
  telemetry:      ['shared'],
  reporting:      ['workbooks', 'invariants', 'defects', 'ledger', 'runs', 'mail', 'partners', 'shared'],
  printing:       ['workbooks', 'ledger', 'pdf', 'shared'],
  returned_workbooks: ['workbooks', 'case_work', 'ledger', 'partners', 'spreadsheets', 'shared'],
  workbooks:      ['defects', 'ledger', 'runs', 'sales', 'partners', 'spreadsheets', 'shared'],
  // What confirmed registers show; bound to the class of `defects` that asks for it.
  register_evidence: ['reconciliation', 'register_reading', 'defects', 'shared'],
  reconciliation: ['register_reading', 'defects', 'case_work', 'ledger', 'runs', 'sales', 'spreadsheets', 'shared'],
  // What a register's file says, before anything of ours is compared with it.
  register_reading: ['spreadsheets', 'shared'],
  // Buyers' personal data in the tables of all modules, and their erasure.
  privacy:        ['reconciliation', 'defects', 'sales', 'shared'],
  // Everything that APP_KEY encrypts, in the tables of all modules.
  key_rotation:   ['staff', 'partners', 'catalog', 'shared'],
  // What a restored database lacks, and how selling goes on after it.
  restores:       ['partners', 'shared'],
  // A new rule set against the one in force, over months that are over.
  rule_comparisons: ['defects', 'sales', 'shared'],
  // What terms let us charge for a case.
  penalties:      ['ledger', 'shared'],
  // What must always be true of the rows of all modules below.
  invariants:     ['ledger', 'webhooks', 'sales', 'tickets', 'partners', 'catalog', 'shared'],
  defects:        ['case_work', 'ledger', 'sales', 'partners', 'shared'],
  // What people do with a case, however it was found.
  case_work:      ['shared'],
  ledger:         ['staff', 'partners', 'shared'],
  runs:           ['spreadsheets', 'partners', 'shared'],
  webhooks:       ['partners', 'shared'],
  sales:          ['tickets', 'catalog', 'staff', 'shared'],
  tickets:        ['pdf', 'catalog', 'shared'],
  inventory:      ['catalog', 'shared'],
  partners:       ['catalog', 'shared'],
  catalog:        ['shared'],
  staff:          ['shared'],
  spreadsheets:   ['shared'],
  pdf:            [],
  mail:           [],
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
export const CONFIGURATION_OF_CORE = [
  '#config/platform',
  '#config/mail',
  '#database/privileges',
  '#database/guards',
  '#database/guard_definitions',
]

/** What the roles of the database may do, and what guards its rows: the core checks both, and the console gives the rights. */
export const SAFEGUARDS_IN_DATABASE = [
  '#database/privileges',
  '#database/roles',
  '#database/guards',
  '#database/guard_definitions',
]

/** A request, a response, a form or a page: none of the core's business. */
export const HTTP_ONLY =
  /^(@adonisjs\/core\/(http|types\/http|bodyparser|services\/(router|server))|@adonisjs\/(inertia|session|shield|auth|static|vite|limiter)|@vinejs\/|node:https?$)/

/** Calls partners; it serves nobody. */
export const MAY_CALL_OUT = ['app/webhooks/deliver_webhooks/post.ts']
