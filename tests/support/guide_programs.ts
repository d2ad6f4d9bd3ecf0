import app from '@adonisjs/core/services/app'
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { extname } from 'node:path'

interface Runtime {
  /** What has to be installed, for the summary of a run that skips its programs. */
  needs: string
  /** The path of the program follows, then its arguments. */
  command: (program: string) => string[]
  /** Succeeds on a machine that has all of it. */
  probe: string[]
}

const FOLDER = app.makePath('docs/api/examples')

const RUNTIMES: Record<string, Runtime> = {
  '.mjs': {
    needs: 'Node',
    command: (program) => [process.execPath, program],
    probe: [process.execPath, '--version'],
  },
  '.sh': {
    needs: 'bash with curl, openssl and jq',
    command: (program) => ['bash', program],
    probe: ['bash', '-c', 'curl --version && openssl version && jq --version'],
  },
  '.py': {
    needs: 'Python 3 with cryptography',
    command: (program) => ['python3', program],
    probe: ['python3', '-c', 'import cryptography'],
  },
  '.php': {
    needs: 'PHP with openssl',
    command: (program) => ['php', program],
    probe: ['php', '-r', 'exit(function_exists("openssl_verify") ? 0 : 1);'],
  },
  '.go': {
    needs: 'Go',
    command: (program) => ['go', 'run', program],
    probe: ['go', 'version'],
  },
  '.cs': {
    needs: '.NET 10',
    command: (program) => ['dotnet', 'run', program, '--'],
    probe: ['bash', '-c', '[ "$(dotnet --version | cut -d. -f1)" -ge 10 ]'],
  },
}

/** The guide's programs of a name, one a language: `first_ticket.mjs`, `first_ticket.sh`, … */
export const programsNamed = (name: string) =>
  readdirSync(FOLDER).filter((file) => file.startsWith(`${name}.`))

const runtimeOf = (file: string) => RUNTIMES[extname(file)]

/** Why a program is skipped, by name: it must not be forgotten that a machine has not run it. */
export const skipReason = (file: string) => `${file}: ${runtimeOf(file).needs} is not installed`

export function isMissing(file: string) {
  const [command, ...args] = runtimeOf(file).probe
  return spawnSync(command, args, { stdio: 'ignore' }).status !== 0
}

/** Runs a program of the guide to its end, whatever its exit code. */
export function runProgram(file: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const [command, ...rest] = runtimeOf(file).command(`${FOLDER}/${file}`)
  const options = { env: { ...process.env, ...env } }
  const { promise, resolve } = Promise.withResolvers<{ stdout: string; stderr: string }>()
  execFile(command, [...rest, ...args], options, (_error, stdout, stderr) =>
    resolve({ stdout, stderr })
  )
  return promise
}
