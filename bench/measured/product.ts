import { pathToFileURL } from 'node:url'
import { Ignitor } from '@adonisjs/core'

export const ACTOR = { kind: 'console', name: 'bench', requestId: null } as const
const base = pathToFileURL(`${process.cwd()}/`)

/** Boots the production build in the current directory, as a console command would; without routes. */
export async function bootProduct() {
  const ignitor = new Ignitor(base, { importer: (path) => import(new URL(path, base).href) })
  ignitor.tap((app) => app.booting(() => built('start/env')))
  const app = ignitor.createApp('console')
  await app.init()
  await app.boot()
}

/** A module of the build: of the sources only its types are known here. */
export const built = (path: string) => import(new URL(`${path}.js`, base).href)
