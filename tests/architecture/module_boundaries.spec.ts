import { test } from '@japa/runner'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { MODULE_MAP, renderModuleMap } from '../../dev/module_map.js'
import { findFolderCycles, readImports, ROOT, type SourceFile } from './imports.js'
import {
  CONFIGURATION_OF_CORE,
  DOORS,
  HTTP_ONLY,
  MAY_CALL_OUT,
  MAY_IMPORT,
  SAFEGUARDS_IN_DATABASE,
  SHARED_BY_DOORS,
} from './module_boundaries.js'

const { files, unresolved, offences } = await readImports()
/** `cells.ts` hands on one function of `writing`, which uses the rest of `cells.ts`. */
const KNOWN_CYCLES = [
  'app/spreadsheets/cells.ts → app/spreadsheets/writing → app/spreadsheets/cells.ts',
]

/** Files with `new RegExp`: one that is added must take no text of a person into a pattern. */
const PATTERN_BUILDERS = [
  'app/back_office/orders/search_orders.ts',
  'app/defects/facts/own_payment_ids.ts',
  'app/partner_api/fallbacks_controller.ts',
  'app/register_reading/column_shape.ts',
  'app/register_reading/read_id.ts',
  'app/tickets/ticket_number.ts',
]

/** In SQL, in capitals as we write it. */
const WRITES = /\b(INSERT INTO|UPDATE [a-z_]+ |DELETE FROM)\b/

const isDoor = ({ module }: SourceFile) => DOORS.includes(module)

/** `app/catalog/bad.ts imports #sales/x`, for every import that breaks a rule. */
const importsThat = (from: SourceFile[], isOffence: (name: string) => boolean) =>
  from.flatMap((file) =>
    file.imports.filter(isOffence).map((name) => `${file.path} imports ${name}`)
  )

test.group('Architecture', () => {
  test('the imports of every file are read and resolved', ({ assert }) => {
    assert.isAbove(files.length, 80)
    assert.deepEqual(unresolved, [])
    const holdSeats = files.find(({ path }) => path === 'app/sales/hold_seats/hold_seats.ts')!
    assert.includeMembers(holdSeats.imports, ['#catalog/event_status', '#shared/refusals'])
  })

  test('every folder of app/ is in the table', ({ assert }) => {
    const folders = [...new Set(files.map(({ module }) => module))]
    assert.deepEqual(
      folders.filter((folder) => !(folder in MAY_IMPORT)),
      []
    )
  })

  test('modules import only modules below them, and there are no import cycles between files', ({
    assert,
  }) => {
    assert.deepEqual(
      offences.map(({ rule, by }) => `${rule}: ${by}`),
      []
    )
  })

  test('the drawing in docs/modules.md is the table (npm run docs)', async ({ assert }) => {
    const page = await readFile(`${ROOT}${MODULE_MAP}`, 'utf8')
    assert.equal(page, await renderModuleMap())
  })

  test('there are no import cycles between the files and sub-folders of any folder', ({
    assert,
  }) => {
    assert.deepEqual(
      findFolderCycles(files).filter((cycle) => !KNOWN_CYCLES.includes(cycle)),
      []
    )
  })

  test('two sub-folders that import each other, or a file and a sub-folder, are an import cycle', ({
    assert,
  }) => {
    const source = (path: string, ...importedFiles: string[]) => ({
      path,
      module: 'a',
      text: '',
      imports: importedFiles,
      importedFiles,
    })
    const routes = source('app/a/routes.ts', 'app/a/b/routes.ts', 'app/a/c/routes.ts')
    const page = source('app/a/b/page.ts', 'app/a/shared.ts')
    assert.deepEqual(findFolderCycles([routes, page]), [])
    const across = source('app/a/b/page.ts', 'app/a/c/x.ts')
    assert.deepEqual(findFolderCycles([across, source('app/a/c/d/y.ts', 'app/a/b/z.ts')]), [
      'app/a/b → app/a/c → app/a/b',
    ])
    assert.deepEqual(findFolderCycles([page, source('app/a/shared.ts', 'app/a/b/z.ts')]), [
      'app/a/b → app/a/shared.ts → app/a/b',
    ])
  })

  test('queries only read: what writes stands next to its action', ({ assert }) => {
    const writing = files.filter(
      ({ path, text }) => path.includes('/queries/') && WRITES.test(text)
    )
    assert.deepEqual(
      writing.map(({ path }) => path),
      []
    )
  })

  test('no module is above 6,000 lines or 15 % of app/', ({ assert }) => {
    const lines: Record<string, number> = {}
    for (const { module, text } of files)
      lines[module] = (lines[module] ?? 0) + text.split('\n').length - 1
    const all = Object.values(lines).reduce((sum, one) => sum + one, 0)
    const tooLarge = Object.entries(lines).filter(([, n]) => n > 6_000 || n > 0.15 * all)
    assert.deepEqual(tooLarge, [])
  })

  test('every arrow of the table has an import', ({ assert }) => {
    const used = new Set(
      files.flatMap(({ module, importedFiles }) =>
        importedFiles.map((path) => `${module} → ${path.split('/')[1]}`)
      )
    )
    const unused = Object.entries(MAY_IMPORT).flatMap(([module, others]) =>
      others.map((other) => `${module} → ${other}`).filter((arrow) => !used.has(arrow))
    )
    assert.deepEqual(unused, [])
  })

  test('the table itself has no cycle', ({ assert }) => {
    const reaches = (from: string, to: string): boolean =>
      MAY_IMPORT[from].some((next) => next === to || reaches(next, to))
    assert.deepEqual(
      Object.keys(MAY_IMPORT).filter((module) => reaches(module, module)),
      []
    )
  })

  test('doors never import doors', ({ assert }) => {
    const found = DOORS.flatMap((door) =>
      MAY_IMPORT[door].filter((other) => DOORS.includes(other) && !SHARED_BY_DOORS.includes(other))
    )
    assert.deepEqual(found, [])
  })

  test('the core never speaks HTTP, validates forms or renders pages', ({ assert }) => {
    const core = files.filter((file) => !isDoor(file) && !MAY_CALL_OUT.includes(file.path))
    assert.deepEqual(
      importsThat(core, (name) => HTTP_ONLY.test(name)),
      []
    )
  })

  test('the core reads no configuration but what a deployment decides about the contract', ({
    assert,
  }) => {
    const core = files.filter((file) => !isDoor(file))
    const found = importsThat(
      core,
      (name) =>
        /^#(config|start|database|generated|tests)\//.test(name) &&
        !CONFIGURATION_OF_CORE.includes(name)
    )
    assert.deepEqual(found, [])
  })

  test('nothing of app/ imports tests, or of the database folder more than rights and guards', ({
    assert,
  }) => {
    const found = importsThat(
      files,
      (name) => /^#(database|tests)\//.test(name) && !SAFEGUARDS_IN_DATABASE.includes(name)
    )
    assert.deepEqual(found, [])
  })

  test('the application starts no process and runs no text as code', ({ assert }) => {
    const calls = /\bchild_process\b|\beval\(|\bnew Function\b|\bvm\b.*\bfrom\b/
    assert.deepEqual(
      files.filter(({ text }) => calls.test(text)).map(({ path }) => path),
      []
    )
  })

  test('patterns are built only where their parts are constants, the prefix of the platform or routes', ({
    assert,
  }) => {
    const building = files.filter(({ text }) => /\bnew RegExp\(/.test(text))
    assert.sameMembers(
      building.map(({ path }) => path),
      PATTERN_BUILDERS
    )
  })

  test('pages send no messages to other windows, and have no plug-ins', async ({ assert }) => {
    const pages = globSync('resources/**/*.{vue,ts,edge}', { cwd: ROOT })
    assert.isAbove(pages.length, 100)
    const texts = await Promise.all(pages.map((path) => readFile(`${ROOT}${path}`, 'utf8')))
    assert.deepEqual(
      pages.filter((_, index) => /\bpostMessage\b|<(object|embed|applet)\b/.test(texts[index])),
      []
    )
  })

  test('a transaction is begun in one place alone, the one that notices a failed COMMIT', ({
    assert,
  }) => {
    const begun = files.filter(({ text }) =>
      /\b(db|client|connection\(\))\.transaction\(/.test(text)
    )
    assert.deepEqual(
      begun.map(({ path }) => path),
      ['app/shared/transaction.ts']
    )
  })
})
