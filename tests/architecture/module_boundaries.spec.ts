import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'
import { MODULE_MAP, renderModuleMap } from '../../dev/module_map.js'
import { findFolderCircles, readImports, ROOT, type SourceFile } from './imports.js'
import {
  CONFIGURATION_OF_CORE,
  DOORS,
  HTTP_ONLY,
  MAY_CALL_OUT,
  MAY_IMPORT,
  SHARED_BY_DOORS,
} from './module_boundaries.js'

const { files, unresolved, offences } = await readImports()
/** In SQL, in capitals as we write it. */
const WRITES = /\b(INSERT INTO|UPDATE [a-z_]+ |DELETE FROM)\b/

const isDoor = ({ module }: SourceFile) => DOORS.includes(module)

/** `app/catalog/bad.ts imports #sales/x`, for every import that breaks a rule. */
const importsThat = (from: SourceFile[], isOffence: (name: string) => boolean) =>
  from.flatMap((file) =>
    file.imports.filter(isOffence).map((name) => `${file.path} imports ${name}`)
  )

test.group('Architecture', () => {
  test('the imports were really read', ({ assert }) => {
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

  test('modules import only downwards, and no file imports itself over others', ({ assert }) => {
    assert.deepEqual(
      offences.map(({ rule, by }) => `${rule}: ${by}`),
      []
    )
  })

  test('the drawing in docs/modules.md is the table (npm run docs)', async ({ assert }) => {
    const page = await readFile(`${ROOT}${MODULE_MAP}`, 'utf8')
    assert.equal(page, await renderModuleMap())
  })

  test('no folder imports itself over others', async ({ assert }) => {
    assert.deepEqual(await findFolderCircles(), [])
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

  test('no module is above 5,500 lines or 15 % of app/', ({ assert }) => {
    const lines: Record<string, number> = {}
    for (const { module, text } of files)
      lines[module] = (lines[module] ?? 0) + text.split('\n').length - 1
    const all = Object.values(lines).reduce((sum, one) => sum + one, 0)
    const tooLarge = Object.entries(lines).filter(([, n]) => n > 5_500 || n > 0.15 * all)
    assert.deepEqual(tooLarge, [])
  })

  test('the table itself has no circle', ({ assert }) => {
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

  test('nothing of app/ imports tests or the database folder', ({ assert }) => {
    const found = importsThat(files, (name) => /^#(database|tests)\//.test(name))
    assert.deepEqual(found, [])
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
