import { checkBeforeServing, checkSettings } from '../start/checks.js'
import { endWithFailure } from '../start/report_failure.js'

const APP_ROOT = new URL('../', import.meta.url)

const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

const WORKER = 'queue:work'

async function runCommand() {
  if (process.argv.includes(WORKER)) await checkBeforeServing()
  await import('reflect-metadata')
  const { Ignitor } = await import('@adonisjs/core')

  await new Ignitor(APP_ROOT, { importer: IMPORTER })
    .tap((app) => {
      // Before the command runs, terminate() would not stop it: the process must exit.
      const end = () => (app.isReady ? app.terminate() : process.exit())
      app.listen('SIGTERM', end)
      app.listen('SIGINT', end)
    })
    .ace()
    .configure(async (app) => {
      const { assertAllowed } = await import('#console/live_refusals')
      const { noteCommand } = await import('#console/owner_commands')
      const kernel = await app.container.make('ace')
      // Before the command is loaded, so that no flag of it matters.
      kernel.finding(async (name: string) => {
        await assertAllowed(name)
        noteCommand(name)
        if (kernel.getCommand(name)?.options.startApp) await checkSettings().catch(endWithFailure)
      })
    })
    .handle(process.argv.splice(2))
}

await runCommand().catch(endWithFailure)
