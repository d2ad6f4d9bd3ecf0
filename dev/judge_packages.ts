import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './output.ts'
import { judgeDirectory, root } from './paths.ts'
import type { Supervisor } from './supervisor.ts'

const LOCKFILE = join(judgeDirectory, 'package-lock.json')
/** npm writes it last. */
const INSTALLED = join(judgeDirectory, 'node_modules/.package-lock.json')

/** The judges have packages of their own, so that installing the project stays quick. */
export async function installJudgePackages(supervisor: Supervisor) {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCKFILE).mtimeMs) return
  say("Installing the judges' packages")
  await supervisor.run({
    name: 'npm',
    command: 'npm',
    args: ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'],
    cwd: judgeDirectory,
    output: 'lines',
  })
}

export async function checkJudgeTypes(supervisor: Supervisor) {
  await supervisor.run({
    name: 'types',
    command: process.execPath,
    args: [join(root, 'node_modules/typescript/bin/tsc'), '--project', judgeDirectory],
    output: 'lines',
  })
  return 0
}
