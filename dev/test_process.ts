type Part = {
  name: string
  suites: string[]
  /** Specs of these suites that another part runs. */
  exclude: string[]
}

/** Folders that show nothing of the partner API which others do not. */
const APART = ['back_office', 'finance', 'races']
const BESIDE_PAGES = ['console', 'worker']
const FIRST_PAGES = 'tests/browser/{[a-o],pa}*'
const LAST_PAGES = 'tests/browser/{[q-z],p[!a]}*'

/** Leaves only these folders of the functional tests. */
const allBut = (folders: string[]) => [
  `tests/functional/!(${folders.join('|')})/**`,
  'tests/functional/*.spec.ts',
]

/**
 * All tests in processes that take about as long as each other: while one waits for the clock or for Chromium, another
 * computes. The contract's tests look at the answers that the functional ones were given, in one process.
 */
export const TEST_PARTS: Part[] = [
  {
    name: 'served',
    suites: ['functional', 'contract'],
    exclude: [`tests/functional/{${[...APART, ...BESIDE_PAGES].join()}}/**`],
  },
  { name: 'apart', suites: ['functional'], exclude: allBut(APART) },
  { name: 'pages 1', suites: ['unit', 'architecture', 'browser'], exclude: [LAST_PAGES] },
  {
    name: 'pages 2',
    suites: ['functional', 'browser'],
    exclude: [...allBut(BESIDE_PAGES), FIRST_PAGES],
  },
]

/** What the part named in the environment leaves to others; nothing in a run of named tests. */
export const excludedHere = () =>
  TEST_PARTS.find(({ name }) => name === process.env.TEST_PART)?.exclude ?? []
