import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ace } from './application.ts'
import { GUARD_LIST, writeGuardList } from './guard_list.ts'
import { root } from './paths.ts'
import { logError } from './output.ts'
import type { Supervisor } from './supervisor.ts'

const GENERATED = [
  '.adonisjs/**/*.*',
  'database/schema.ts',
  'docs/settlement-defects.md',
  GUARD_LIST,
]
/** An intermediate file of the code generation, which the development server removes. */
const INTERMEDIATE = ['.adonisjs/server/routes.json']

/** Generates the files again and compares them with the committed ones. Returns the exit code. */
export async function checkGeneratedCode(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  const before = fingerprints()
  await supervisor.run(ace('migrate', ['migration:run', '--force'], env))
  await supervisor.run(ace('codegen', ['codegen'], env))
  await supervisor.run({ ...ace('docs', [], env), args: ['bin/docs.ts'] })
  await writeGuardList(env.OWNER_DATABASE_URL!)
  const after = fingerprints()

  const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file)
  )
  if (stale.length > 0) {
    logError(`Generated files were out of date and have been written again: ${stale.join(', ')}`)
  }
  return stale.length === 0 ? 0 : 1
}

function fingerprints() {
  const files = globSync(GENERATED, { cwd: root, exclude: INTERMEDIATE }).filter((file) =>
    existsSync(join(root, file))
  )
  return new Map(files.map((file) => [file, fingerprint(join(root, file))]))
}

function fingerprint(path: string) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
