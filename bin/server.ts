import 'reflect-metadata'
import { Ignitor, prettyPrintError } from '@adonisjs/core'
import type { RequestListener, Server } from 'node:http'

const APP_ROOT = new URL('../', import.meta.url)

const IMPORTER = (filePath: string) => {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

/** Imported once the environment has been read. */
let createNodeServer: (handler: RequestListener) => Server

new Ignitor(APP_ROOT, { importer: IMPORTER })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
      const nodeServer = await import('#http/node_server')
      createNodeServer = nodeServer.createNodeServer
    })
    // Before it answers there is nothing to end but the process: a server that only starts would go on all the same.
    const end = () => (app.isReady ? app.terminate() : process.exit())
    app.listen('SIGTERM', end)
    app.listen('SIGINT', end)
  })
  .httpServer()
  .start((handler) => createNodeServer(handler))
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
