import { accessSync, constants, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * What is checked before a process serves, in this order. All that is wrong is reported at once, and the process ends with code 1.
 *
 * 1. Node's version, before any code that needs it is loaded.
 * 2. Every setting, by its rule in `start/settings.ts`.
 * 3. The directory of files: it can be written to.
 *
 * The servers are asked once they can be (`start/primaries.ts`): whether DATABASE_URL leads to a primary, and REDIS_URL, or the
 * name that the Sentinels are asked for, to one, too; whether Redis and the Sentinels accept their passwords; and whether the role
 * of STANDBY_DATABASE_URL can read. One that doesn't answer is no reason not to start.
 *
 * PostgreSQL is asked when it answers, since a process may start without it: whether the role of DATABASE_URL can sign in and has
 * its rights, and whether APP_KEY opens what is stored (`start/database_checks.ts`; the process ends if not), and whether schema,
 * encoding and durability are those that the code needs (`app/shared/database_fitness.ts`; `/health/ready` answers 503 if not).
 *
 * Nothing is imported above that an older Node could not load.
 */
export async function checkBeforeServing() {
  assertNone([nodeProblem(process.versions.node)])
  const problems = await settingProblems()
  assertNone([...problems, storageProblem(storageDirectory())])
}

/** What is checked before a command: it may run as another user, who need not write files. */
export async function checkSettings() {
  assertNone([nodeProblem(process.versions.node)])
  assertNone(await settingProblems())
}

function assertNone(problems: (StartProblem | undefined)[]) {
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new StartRefused(found)
}

export interface StartProblem {
  /** The setting to correct, if it is one. */
  setting?: string
  message: string
}

/** This process must not serve; somebody has to act. */
export class StartRefused extends Error {
  constructor(readonly problems: StartProblem[]) {
    super(problems.map(({ message }) => message).join('\n'))
  }
}

/** The lowest major version, as in `engines` of package.json. */
export const NODE_MAJOR = 24

export function nodeProblem(version: string): StartProblem | undefined {
  if (Number.parseInt(version) >= NODE_MAJOR) return undefined
  return { message: `Node ${NODE_MAJOR} or later is needed; this is ${version}` }
}

/** Reads `.env` and the environment; empty when every rule is kept. */
async function settingProblems(): Promise<StartProblem[]> {
  try {
    await import('#start/env')
    return []
  } catch (error) {
    return problemsOf(error)
  }
}

/** The problems with which a start was refused; any other error is thrown again. */
export function problemsOf(error: unknown): StartProblem[] {
  if (error instanceof StartRefused) return error.problems
  const { code, help } = error as { code?: string; help?: string }
  if (code === 'E_INVALID_ENV_VARIABLES' && help) return help.split('\n').map(asProblem)
  throw error
}

/** The framework lists `- LINK_KEY must have …`, a line for each. */
function asProblem(line: string): StartProblem {
  const message = line.replace(/^- /, '')
  return { setting: message.split(' ')[0], message }
}

/** Where files are, once the settings are read. */
export const storageDirectory = () => resolve(process.env.STORAGE_DIRECTORY || 'tmp/storage')

function storageProblem(directory: string): StartProblem | undefined {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      setting: 'STORAGE_DIRECTORY',
      message: `STORAGE_DIRECTORY: ${directory} can't be written to (${code})`,
    }
  }
}
