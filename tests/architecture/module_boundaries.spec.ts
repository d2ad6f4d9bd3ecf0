import { test } from '@japa/runner'
import { fileOf, sourceFiles, type SourceFile } from './imports.js'
import {
  CONFIGURATION_OF_CORE,
  DOORS,
  HTTP_ONLY,
  MAY_CALL_OUT,
  MAX_LINES,
  MAY_BE_LONGER,
  MAY_IMPORT,
  SHARED_BY_DOORS,
} from './module_boundaries.js'

const files = sourceFiles()
const isDoor = ({ module }: SourceFile) => DOORS.includes(module)

/** `app/catalog/bad.ts imports #sales/x`, for every import that breaks a rule. */
const offences = (from: SourceFile[], isOffence: (name: string, file: SourceFile) => boolean) =>
  from.flatMap((file) =>
    file.imports
      .filter((name) => isOffence(name, file))
      .map((name) => `${file.path} imports ${name}`)
  )

const moduleOf = (name: string) => /^#(\w+)\//.exec(name)?.[1]

test.group('Architecture', () => {
  test('the imports were really read', ({ assert }) => {
    assert.isAbove(files.length, 80)
    const holdSeats = files.find(({ path }) => path === 'app/sales/actions/hold_seats.ts')!
    assert.includeMembers(holdSeats.imports, ['#catalog/event_status', '#shared/refusals'])
    assert.notInclude(holdSeats.runtimeImports, '#catalog/event_status')
  })

  test('every folder of app/ is in the table', ({ assert }) => {
    const folders = [...new Set(files.map(({ module }) => module))]
    assert.deepEqual(
      folders.filter((folder) => !(folder in MAY_IMPORT)),
      []
    )
  })

  test('modules import only downwards', ({ assert }) => {
    const found = offences(files, (name, file) => {
      const module = moduleOf(name)
      if (!module || !(module in MAY_IMPORT) || module === file.module) return false
      return !MAY_IMPORT[file.module].includes(module)
    })
    assert.deepEqual(found, [])
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
    const found = offences(files.filter(isDoor), (name, file) => {
      const module = moduleOf(name)
      if (module === undefined || module === file.module) return false
      return DOORS.includes(module) && !SHARED_BY_DOORS.includes(module)
    })
    assert.deepEqual(found, [])
  })

  test('the core never speaks HTTP, validates forms or renders pages', ({ assert }) => {
    const core = files.filter((file) => !isDoor(file) && !MAY_CALL_OUT.includes(file.path))
    assert.deepEqual(
      offences(core, (name) => HTTP_ONLY.test(name)),
      []
    )
  })

  test('the core reads no configuration but what a deployment decides about the contract', ({
    assert,
  }) => {
    const core = files.filter((file) => !isDoor(file))
    const found = offences(
      core,
      (name) =>
        /^#(config|start|database|generated|tests)\//.test(name) &&
        !CONFIGURATION_OF_CORE.includes(name)
    )
    assert.deepEqual(found, [])
  })

  test('nothing of app/ imports tests or the database folder', ({ assert }) => {
    const found = offences(files, (name) => /^#(database|tests)\//.test(name))
    assert.deepEqual(found, [])
  })

  test('a transaction is begun in one place alone, the one that tells when COMMIT fails', ({
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

  test('no circle of files', ({ assert }) => {
    assert.deepEqual(circles(files), [])
  })

  test(`no file is longer than ${MAX_LINES} lines, but those that say why`, ({ assert }) => {
    const long = files.filter(
      ({ path, lines }) => lines > MAX_LINES && !MAY_BE_LONGER.includes(path)
    )
    assert.deepEqual(
      long.map(({ path, lines }) => `${path}: ${lines} lines`),
      []
    )
  })

  test('only files that are long are excused', ({ assert }) => {
    const long = files.filter(({ lines }) => lines > MAX_LINES).map(({ path }) => path)
    assert.deepEqual(
      MAY_BE_LONGER.filter((path) => !long.includes(path)),
      []
    )
  })
})

/** Files that import themselves over others, while the program runs. */
function circles(all: SourceFile[]): string[] {
  const byPath = new Map(all.map((file) => [file.path, file]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (trail.includes(path) || done.has(path)) return
    for (const name of byPath.get(path)?.runtimeImports ?? []) visit(fileOf(name), [...trail, path])
    done.add(path)
  }
  for (const { path } of all) visit(path, [])
  return found
}
