import { startJudgedProduct } from '../dev/judged_product.ts'
import { findProgram } from '../dev/programs.ts'
import { runProgram } from '../dev/run_program.ts'
import { scan } from '../dev/scan.ts'
import { createEphemeralDirectory, removeServices } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'

/** `npm run scan` lets Debian's wapiti and sqlmap search a product of its own on this machine for holes. */
await runProgram(async (cleanup) => {
  for (const program of ['wapiti', 'sqlmap'])
    if (!findProgram(program))
      throw new StartUpError(`${program} is missing: apt-get install wapiti sqlmap`)
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  return scan(await startJudgedProduct(supervisor, directory))
})
