type Part = {
  name: string
  suites: string[]
  /** Specs of these suites that another part runs. */
  exclude: string[]
}

/** Folders that show nothing of the partner API which others do not. */
const APART = ['back_office', 'console', 'jobs', 'races', 'worker']
const FIRST_PAGES = 'tests/browser/[a-o]*'
const LAST_PAGES = 'tests/browser/[!a-o]*'

/**
 * All tests in processes that take about as long as each other: while one waits for the clock or for Chromium, another
 * computes. The contract's tests look at the answers that the functional ones were given, in one process.
 */
export const TEST_PARTS: Part[] = [
  {
    name: 'served',
    suites: ['functional', 'contract'],
    exclude: [`tests/functional/{${APART.join()}}/**`],
  },
  {
    name: 'apart',
    suites: ['functional'],
    exclude: [`tests/functional/!(${APART.join('|')})/**`, 'tests/functional/*.spec.ts'],
  },
  { name: 'pages 1', suites: ['unit', 'architecture', 'browser'], exclude: [LAST_PAGES] },
  { name: 'pages 2', suites: ['browser'], exclude: [FIRST_PAGES] },
]

/** What the part named in the environment leaves to others; nothing in a run of named tests. */
export const excludedHere = () =>
  TEST_PARTS.find(({ name }) => name === process.env.TEST_PART)?.exclude ?? []
