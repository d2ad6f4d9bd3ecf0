import ace from '@adonisjs/core/services/ace'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
// Colours, and the marks that the terminal draws.
const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

export interface Outcome {
  exitCode: number
  /** Everything that was printed, without colours. */
  text: string
}

/** Runs a command in this process. */
export async function run(name: string, ...args: string[]): Promise<Outcome> {
  ace.ui.switchMode('raw')
  ace.ui.logger.flushLogs?.()
  try {
    const command = await ace.exec(name, args)
    const text = ace.ui.logger
      .getLogs()
      .map(({ message }) => message)
      .join('\n')
    return { exitCode: command.exitCode ?? 0, text: text.replaceAll(ANSI, '') }
  } finally {
    ace.ui.switchMode('normal')
  }
}

/** Starts a command as from a shell. */
export const start = (args: string[], variables: NodeJS.ProcessEnv = {}) =>
  startProgram(['ace.js', ...args], variables)

/** Starts a web process that may refuse to serve. */
export const startWeb = (variables: NodeJS.ProcessEnv) =>
  startProgram(['--import=@poppinss/ts-exec', 'bin/server.ts'], variables)

function startProgram(args: string[], variables: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...variables, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (text += data.toString()))
  const ended = once(child, 'close').then(([code]): Outcome => {
    return { exitCode: code as number, text: text.replaceAll(ANSI, '') }
  })
  return { child, ended }
}
