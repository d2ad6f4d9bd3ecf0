import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const devDirectory = join(root, 'tmp/dev')
/** What `npm run dev` runs on, for commands in another terminal. */
export const environmentFile = join(root, 'tmp/dev/environment.json')
export const sandboxFile = join(root, 'tmp/sandbox.json')
export const judgeDirectory = join(root, 'judge')
