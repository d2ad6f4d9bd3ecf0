import { startJudgedProduct } from '../dev/judged_product.ts'
import { PLATFORM, takePictures } from '../dev/pictures.ts'
import { runProgram } from '../dev/run_program.ts'
import { createEphemeralDirectory, removeServices } from '../dev/start_services.ts'
import { Supervisor } from '../dev/supervisor.ts'

/** `npm run pictures` takes the pictures of README.md from a running product with its own database. */
await runProgram(async (cleanup) => {
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  await takePictures(await startJudgedProduct(supervisor, directory, PLATFORM))
  return 0
})
