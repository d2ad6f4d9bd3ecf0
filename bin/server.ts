import type { RequestListener, Server } from 'node:http'
import { checkBeforeServing } from '../start/checks.js'
import { endWithFailure } from '../start/report_failure.js'

const APP_ROOT = new URL('../', import.meta.url)

const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

async function serve() {
  await checkBeforeServing()
  await import('reflect-metadata')
  const { Ignitor } = await import('@adonisjs/core')

  /** Imported after the environment has been read. */
  let createNodeServer: (handler: RequestListener) => Server

  await new Ignitor(APP_ROOT, { importer: IMPORTER })
    .tap((app) => {
      app.booting(async () => {
        const nodeServer = await import('#http/node_server')
        createNodeServer = nodeServer.createNodeServer
      })
      // Before the server is ready, terminate() would not stop it: the process must exit.
      const end = () => (app.isReady ? app.terminate() : process.exit())
      app.listen('SIGTERM', end)
      app.listen('SIGINT', end)
    })
    .httpServer()
    .start((handler) => createNodeServer(handler))
}

await serve().catch(endWithFailure)
