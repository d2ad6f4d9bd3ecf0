import {
  canInstallPackages,
  disableUnit,
  findProgram,
  installPackages,
  isExecutable,
} from '../programs.ts'
import { StartUpError } from '../start_up_error.ts'
import type { Supervisor } from '../supervisor.ts'
import { type Observation, seen } from './drill_report.ts'

export interface DebianPackage {
  name: string
  /** A program of it, by name or full path. */
  program: string
  /** Its service, which must not run by itself. */
  unit?: string
}

const isInstalled = (program: string) =>
  program.startsWith('/') ? isExecutable(program) : findProgram(program) !== undefined

/** Installs what is missing where we may; otherwise says the command that does. */
export async function ensurePackages(
  supervisor: Supervisor,
  packages: DebianPackage[]
): Promise<Observation> {
  const missing = packages.filter(({ program }) => !isInstalled(program))
  if (missing.length === 0) return seen('present')
  const names = missing.map(({ name }) => name)
  if (!canInstallPackages()) {
    throw new StartUpError(`Run as root on Debian: apt-get install ${names.join(' ')}`)
  }
  await installPackages(supervisor, ...names)
  for (const { unit } of missing) if (unit) await disableUnit(supervisor, unit)
  return seen(`installed ${names.join(', ')}`)
}

/** Network namespaces, mounts and frozen processes need root. */
export function assertRoot() {
  if (process.getuid?.() !== 0) {
    throw new StartUpError('This drill mounts file systems and freezes processes: run it as root')
  }
}
