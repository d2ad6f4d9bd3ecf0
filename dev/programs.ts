import { accessSync, constants, existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { log } from './output.ts'
import type { Supervisor } from './supervisor.ts'

const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin']
const SERVICE_POLICY = '/usr/sbin/policy-rc.d'

export function findProgram(...names: string[]) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...USUAL_FOLDERS]
  return names
    .flatMap((name) => folders.filter(Boolean).map((folder) => join(folder, name)))
    .find(isExecutable)
}

export function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function canInstallPackages() {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined
}

/** Installs packages with apt-get, without starting the services that they contain. */
export async function installPackages(supervisor: Supervisor, ...names: string[]) {
  log(`Installing ${names.join(', ')} with apt-get`)
  const hadPolicy = existsSync(SERVICE_POLICY)
  if (!hadPolicy) {
    await writeFile(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  }
  try {
    await aptGet(supervisor, 'update')
    await aptGet(supervisor, 'install', '--yes', '--no-install-recommends', ...names)
  } finally {
    if (!hadPolicy) {
      await rm(SERVICE_POLICY, { force: true })
    }
  }
}

/** Disables the service of an installed package, so that it does not start at the next boot. */
export async function disableUnit(supervisor: Supervisor, name: string) {
  const systemctl = existsSync('/run/systemd/system') && findProgram('systemctl')
  if (systemctl) {
    await supervisor.run({
      name: 'systemctl',
      command: systemctl,
      args: ['disable', '--now', name],
      output: 'lines',
    })
  }
}

function aptGet(supervisor: Supervisor, ...args: string[]) {
  return supervisor.run({
    name: 'apt-get',
    command: 'apt-get',
    args: ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    output: 'lines',
  })
}
