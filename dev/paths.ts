import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
export const devDirectory = join(root, 'tmp/dev')
/** What `npm run dev` runs on, for commands in another terminal. */
export const environmentFile = join(root, 'tmp/dev/environment.json')
export const sandboxFile = join(root, 'tmp/sandbox.json')
export const judgeDirectory = join(root, 'judge')
/** Logs and findings of the last run of judges, for whoever looks for the cause of what fell. */
export const judgeLogs = join(root, 'tmp/judge')
