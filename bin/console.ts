import 'reflect-metadata'
import { Ignitor, prettyPrintError } from '@adonisjs/core'

const APP_ROOT = new URL('../', import.meta.url)

const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

new Ignitor(APP_ROOT, { importer: IMPORTER })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    // Before the application has booted, terminate() would not stop it: the process must exit.
    const end = () => (app.isBooted ? app.terminate() : process.exit())
    app.listen('SIGTERM', end)
    app.listen('SIGINT', end)
  })
  .ace()
  .configure(async (app) => {
    const { assertAllowed } = await import('#console/live_refusals')
    const kernel = await app.container.make('ace')
    // Before the command is loaded, so that no flag of it matters.
    kernel.finding(assertAllowed)
  })
  .handle(process.argv.splice(2))
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
