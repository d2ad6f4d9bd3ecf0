import platform from '#config/platform'
import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/lucid'
import pg from 'pg'
import env from '#start/env'

const INT8_OID = 20
// Money and counters are whole numbers beyond 2^31: never a float, never a string.
pg.types.setTypeParser(INT8_OID, BigInt)

/**
 * A request gives up on a lock before its partner gives up on us (about 10 seconds); migrations and jobs may wait.
 * Confirms and cancels wait longer for a lock (app/sales/longer_lock_wait.ts), within the same time for the statement.
 */
const patience = ['web', 'test'].includes(app.getEnvironment())
  ? ' -c lock_timeout=2000 -c statement_timeout=8000'
  : ''

/**
 * Statements are planned once, maybe while a table is tiny, and the plan must still serve when it is not:
 * nothing that we ask often has to read a whole table. What does have to says so for its own transaction.
 */
const plans = ' -c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off'

const url = new URL(env.get('DATABASE_URL'))
url.searchParams.set('application_name', 'ticket-partners')
url.searchParams.set('options', `-c timezone=UTC${plans}${patience}`)

export default defineConfig({
  connection: 'postgres',
  connections: {
    postgres: {
      client: 'pg',
      connection: { connectionString: url.href },
      pool: { min: 0, max: platform.databaseConnections, acquireTimeoutMillis: 5000 },
      migrations: { naturalSort: true, paths: ['database/migrations'] },
      // No Lucid models: see docs/adr/0002-statements-instead-of-models.md.
      schemaGeneration: { enabled: false },
      debug: false,
    },
  },
})
