import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { defineConfig } from '@adonisjs/core/app'
import { defineConfig as defineEncryption, drivers } from '@adonisjs/core/encryption'
import { defineConfig as defineHttp } from '@adonisjs/core/http'
import { defineConfig as defineLogger } from '@adonisjs/core/logger'
import { randomBytes } from 'node:crypto'

const gcm = drivers.aes256gcm({ id: 'gcm', keys: [randomBytes(32).toString('base64url')] })
const logger = { enabled: true, name: 'bare', level: 'warn' }

/** The framework alone, as the upper limit of a route's throughput. */
await new Ignitor(new URL('./', import.meta.url))
  .tap((app) => {
    app.rcContents(
      defineConfig({
        providers: [() => import('@adonisjs/core/providers/app_provider')],
        preloads: [() => import('./routes.ts')],
      })
    )
    app.useConfig({
      app: { http: defineHttp({ useAsyncLocalStorage: false }) },
      encryption: defineEncryption({ default: 'gcm', list: { gcm } }),
      logger: defineLogger({ default: 'app', loggers: { app: logger } }),
    })
    app.listen('SIGTERM', () => app.terminate())
  })
  .httpServer()
  .start()
