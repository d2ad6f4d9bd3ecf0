import { spawn } from 'node:child_process'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, 'node_modules')

export interface ToolResult {
  code: number | null
  stdout: string
  stderr: string
}

interface ToolOptions {
  cwd: string
  env?: Record<string, string>
}

/** Runs a program of this folder's packages (`.bin/…`) or a script until it ends. */
export async function runTool(
  script: string,
  args: string[],
  options: ToolOptions
): Promise<ToolResult> {
  const child = startTool(script, args, options)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  const code = await promise
  return { code, ...output }
}

/** Starts a program; the caller must stop it. */
export function startTool(script: string, args: string[], { cwd, env = {} }: ToolOptions) {
  const file = script.startsWith('.bin/') ? join(PACKAGES, script) : script
  return spawn(process.execPath, [file, ...args], {
    cwd,
    // Only the variables that the tool needs, and no colours in the output that we read.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const packagesDirectory = PACKAGES
