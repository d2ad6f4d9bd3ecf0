import { pathToFileURL } from 'node:url'
import { Ignitor } from '@adonisjs/core'

/** Who asks for the work, as the audit journal records it. */
export const ACTOR = { kind: 'console', name: 'bench', requestId: null } as const

/** Boots the production build in the current directory, as a console command would, but without its routes. */
export async function bootConsoleApp() {
  const base = pathToFileURL(`${process.cwd()}/`)
  const ignitor = new Ignitor(base, {
    // Names like '#providers/…' are resolved by the package's own imports, the rest from the directory.
    importer: (path) => import(path.startsWith('.') ? new URL(path, base).href : path),
  })
  ignitor.tap((app) =>
    app.booting(async () => {
      await import('#start/env')
    })
  )
  const app = ignitor.createApp('console')
  await app.init()
  await app.boot()
}
