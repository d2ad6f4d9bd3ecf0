import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { PluginFn } from '@japa/runner/types'

interface TestPart {
  name: string
  suites: string[]
  /** Specs of these suites that another part runs. */
  exclude: string[]
}

// Folders of functional tests by part; all others are of the API.
const RECORDS = ['defects', 'ledger', 'reconciliation', 'restores', 'runs', 'workbooks']
const OFFICE = ['back_office', 'finance', 'races', 'reporting']
const WITH_FIRST_PAGES = ['invariants']
const WITH_LAST_PAGES = ['worker']
const NOT_OF_THE_API = [...RECORDS, ...OFFICE, ...WITH_FIRST_PAGES, ...WITH_LAST_PAGES]
const FIRST_PAGES = 'tests/browser/{[a-fh-o],g[!a],pa}*'
const LAST_PAGES = 'tests/browser/{[q-z],ga,p[!a]}*'

/** Excludes all functional tests but those of these folders. */
const allExcept = (folders: string[]) => [
  `tests/functional/!(${folders.join('|')})/**`,
  'tests/functional/*.spec.ts',
]

/**
 * The parts of a whole run, each one process; they take about the same time. While one waits for the clock or for Chromium
 * another uses the processor. The contract suite checks the responses of the functional tests, so both share a process.
 */
export const TEST_PARTS: TestPart[] = [
  {
    name: 'api',
    suites: ['functional', 'contract'],
    exclude: [`tests/functional/{${NOT_OF_THE_API.join()}}/**`],
  },
  { name: 'records', suites: ['functional'], exclude: allExcept(RECORDS) },
  { name: 'office', suites: ['functional'], exclude: allExcept(OFFICE) },
  {
    name: 'pages 1',
    suites: ['unit', 'architecture', 'functional', 'browser'],
    exclude: [...allExcept(WITH_FIRST_PAGES), LAST_PAGES],
  },
  {
    name: 'pages 2',
    suites: ['functional', 'browser'],
    exclude: [...allExcept(WITH_LAST_PAGES), FIRST_PAGES],
  },
]

/** The specs that other parts run, if TEST_PART names a part; none in a run of selected tests. */
export const excludedSpecs = () =>
  TEST_PARTS.find(({ name }) => name === process.env.TEST_PART)?.exclude ?? []

/** Stands for an error outside of any spec, such as an unhandled rejection. */
const NO_SPEC = '(no spec)'

/** Appends the spec of each failure to the file that FAILED_SPECS names. */
export const recordFailedSpecs: PluginFn = ({ emitter }) => {
  const file = process.env.FAILED_SPECS
  if (!file) return
  const record = (spec?: string) =>
    appendFileSync(file, `${spec ? relative(process.cwd(), spec) : NO_SPEC}\n`)
  const recordFailure = ({
    hasError,
    meta,
  }: {
    hasError: boolean
    meta: { fileName?: string }
  }) => {
    if (hasError) record(meta.fileName)
  }
  emitter.on('test:end', recordFailure)
  emitter.on('group:end', recordFailure)
  emitter.on('suite:end', ({ errors }) => {
    if (errors.length > 0) record()
  })
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => record())
}
