import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
export const devDirectory = join(root, 'tmp/dev')
/** The settings of the running `npm run dev`, for commands in another terminal. */
export const environmentFile = join(root, 'tmp/dev/environment.json')
export const sandboxFile = join(root, 'tmp/sandbox.json')
/** The PostgreSQL that is kept between runs of selected tests. */
export const keptDirectory = join(root, 'tmp/kept_postgres')
export const judgeDirectory = join(root, 'judge')
/** Server logs and failures of the last run of the judges. */
export const judgeLogs = join(root, 'tmp/judge')
/** What the specs printed about each mutant of the last `npm run mutate`. */
export const mutationLogs = join(root, 'tmp/mutation')
/** What the last `npm run mutate` found. */
export const mutationReport = join(root, 'tmp/mutation.json')
/** Which functions each spec runs, by process of the last `npm test -- --coverage`. */
export const coverageDirectory = join(root, 'tmp/coverage')
/** The table of the last `npm run drill`. */
export const drillReport = join(root, 'tmp/drill.json')
