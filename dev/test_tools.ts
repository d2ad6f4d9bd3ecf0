import { log } from './output.ts'
import { canInstallPackages, disableUnit, findProgram, installPackages } from './programs.ts'
import { StartUpError } from './start_up_error.ts'
import type { Supervisor } from './supervisor.ts'

/** Programs of others that some tests open our files with: workbooks, and the rules for Prometheus. */
const TOOLS = [
  { program: 'soffice', name: 'libreoffice-calc' },
  { program: 'promtool', name: 'prometheus', unit: 'prometheus' },
]

/**
 * Installs what is missing where that can be done. The tests are skipped without it: nobody has to have it, and a machine without
 * network must be able to run all other tests.
 */
export async function installTools(supervisor: Supervisor) {
  if (!canInstallPackages()) return
  for (const { program, name, unit } of TOOLS) {
    if (findProgram(program)) continue
    try {
      await installPackages(supervisor, name)
      if (unit) await disableUnit(supervisor, unit)
    } catch (error) {
      if (!(error instanceof StartUpError)) throw error
      log(`${name} could not be installed; tests that need ${program} are skipped`)
    }
  }
}
