import { log } from './output.ts'
import { canInstallPackages, findProgram, installPackages } from './programs.ts'
import { StartUpError } from './start_up_error.ts'
import type { Supervisor } from './supervisor.ts'

const PACKAGE = 'libreoffice-calc'

/**
 * Installs LibreOffice where that can be done, for the tests that open our workbooks in it. They are skipped without it: nobody
 * has to have it, and a machine without network must be able to run all other tests.
 */
export async function installOffice(supervisor: Supervisor) {
  if (findProgram('soffice') || !canInstallPackages()) return
  try {
    await installPackages(supervisor, PACKAGE)
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error
    log(`${PACKAGE} could not be installed; tests that need LibreOffice are skipped`)
  }
}
