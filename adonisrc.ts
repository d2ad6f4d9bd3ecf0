import { defineConfig } from '@adonisjs/core/app'
import { indexPages } from '@adonisjs/inertia'

export default defineConfig({
  commands: [
    () => import('@adonisjs/core/commands'),
    () => import('@adonisjs/lucid/commands'),
    () => import('#console/overridden_commands'),
  ],
  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    () => import('@adonisjs/core/providers/hash_provider'),
    {
      file: () => import('@adonisjs/core/providers/repl_provider'),
      environment: ['repl', 'test'],
    },
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/core/providers/edge_provider'),
    () => import('@adonisjs/lucid/database_provider'),
    () => import('#providers/connections_provider'),
    () => import('@adonisjs/redis/redis_provider'),
    () => import('#providers/redis_outages_provider'),
    () => import('@adonisjs/session/session_provider'),
    () => import('@adonisjs/auth/auth_provider'),
    () => import('@adonisjs/shield/shield_provider'),
    () => import('@adonisjs/limiter/limiter_provider'),
    () => import('#providers/vite_provider'),
    () => import('@adonisjs/inertia/inertia_provider'),
    () => import('#providers/database_checks_provider'),
    () => import('#providers/servers_provider'),
    () => import('#providers/restore_provider'),
    () => import('#providers/limits_provider'),
    () => import('#providers/evidence_provider'),
    // The last one is the first that is shut down.
    () => import('#providers/late_attempts_provider'),
  ],
  preloads: [() => import('#start/kernel'), () => import('#start/routes')],
  tests: {
    suites: [
      { files: ['tests/unit/**/*.spec.{ts,js}'], name: 'unit', timeout: 30_000 },
      { files: ['tests/architecture/**/*.spec.{ts,js}'], name: 'architecture', timeout: 30_000 },
      { files: ['tests/functional/**/*.spec.{ts,js}'], name: 'functional', timeout: 120_000 },
      { files: ['tests/contract/**/*.spec.{ts,js}'], name: 'contract', timeout: 120_000 },
      { files: ['tests/browser/**/*.spec.{ts,js}'], name: 'browser', timeout: 120_000 },
    ],
    forceExit: false,
  },
  hooks: {
    init: [indexPages({ framework: 'vue3', source: 'resources/pages' })],
    routesCommitted: [() => import('./dev/client_routes.js')],
    buildStarting: [() => import('@adonisjs/vite/build_hook')],
  },
  metaFiles: [
    { pattern: 'resources/views/**/*.edge', reloadServer: false },
    { pattern: 'resources/tickets/**', reloadServer: false },
    { pattern: 'resources/passwords/**', reloadServer: false },
    { pattern: 'docs/api/**', reloadServer: false },
    { pattern: 'public/**', reloadServer: false },
  ],
})
