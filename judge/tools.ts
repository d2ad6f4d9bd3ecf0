import { spawn } from 'node:child_process'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, 'node_modules')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface Where {
  cwd: string
  env?: Record<string, string>
}

/** Runs a program of this folder's packages (`.bin/…`) or a script to its end. */
export async function runTool(script: string, args: string[], where: Where): Promise<Ended> {
  const child = startTool(script, args, where)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  const code = await promise
  return { code, ...output }
}

/** Starts it; whoever starts it stops it. */
export function startTool(script: string, args: string[], { cwd, env = {} }: Where) {
  const file = script.startsWith('.bin/') ? join(PACKAGES, script) : script
  return spawn(process.execPath, [file, ...args], {
    cwd,
    // Nothing of ours but what the tool needs, and no colours in what is read.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const packagesDirectory = PACKAGES
