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

/** Imported after the environment has been read. */
let createNodeServer: (handler: RequestListener) => Server

new Ignitor(APP_ROOT, { importer: IMPORTER })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
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
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
