import platform from '#config/platform'
import { runsOwnerCommand } from '#console/owner_commands'
import { closeWhenUnsafe } from '#shared/unsafe_connections'
import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/lucid'
import pg from 'pg'
import env from '#start/env'

const INT8_OID = 20
// Money and counters are integers beyond 2^31: not floats, not strings.
pg.types.setTypeParser(INT8_OID, BigInt)

/**
 * Timeouts of requests are shorter than those of partners' clients (about 10 seconds); migrations and jobs have none.
 * Confirms and cancels wait longer for a lock (app/sales/longer_lock_wait.ts), within the same statement timeout.
 */
const servesRequests = ['web', 'test'].includes(app.getEnvironment())
const timeouts = servesRequests ? ' -c lock_timeout=2000 -c statement_timeout=8000' : ''
// Starting helpers for one statement takes longer than most statements, and another core from sales.
const alone = servesRequests ? ' -c max_parallel_workers_per_gather=0' : ''

/** Longer than the statement timeout: only a PostgreSQL that is frozen or cut off says nothing for so long. */
const SILENCE_MS = 9_000

/** A machine that has vanished is noticed at the start of a connection and on a silent one, not after the kernel's quarter of an hour. */
const lostPeer = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/**
 * A statement is planned once, possibly while its table is tiny, and the plan must still be good when the table is large: no
 * frequent statement may scan a whole table. Transactions that need a scan enable it for themselves.
 */
const plans = ' -c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off'

function connectionString(address: string) {
  const url = new URL(address)
  // A name in the URL is kept: with one for each process, PostgreSQL's log shows who has sent a statement.
  if (!url.searchParams.has('application_name'))
    url.searchParams.set('application_name', 'ticket-partners')
  url.searchParams.set('options', `-c timezone=UTC${plans}${timeouts}${alone}`)
  return url.href
}

/** Only the invariants read there, one after another. */
function standby(address: string) {
  return {
    client: 'pg' as const,
    connection: { connectionString: connectionString(address), ...lostPeer },
    pool: { min: 0, max: 2, acquireTimeoutMillis: 5000 },
  }
}
const standbyUrl = env.get('STANDBY_DATABASE_URL')

const migrations = { naturalSort: true, paths: ['database/migrations'] }

/** Migrations, and the tests. A process that serves never connects as the owner. */
function owner(address: string) {
  return {
    client: 'pg' as const,
    connection: { connectionString: connectionString(address) },
    pool: { min: 0, max: 5, acquireTimeoutMillis: 5000 },
    migrations,
    schemaGeneration: { enabled: false },
  }
}
const ownerUrl =
  runsOwnerCommand() || app.getEnvironment() === 'test' ? env.get('OWNER_DATABASE_URL') : undefined

export default defineConfig({
  connection: runsOwnerCommand() && ownerUrl ? 'owner' : 'postgres',
  connections: {
    postgres: {
      client: 'pg',
      connection: { connectionString: connectionString(env.get('DATABASE_URL')), ...lostPeer },
      pool: {
        min: 0,
        max: platform.databaseConnections,
        acquireTimeoutMillis: 5000,
        afterCreate: closeWhenUnsafe(servesRequests ? SILENCE_MS : null),
      },
      // By the role of DATABASE_URL where it owns its tables.
      migrations,
      // No Lucid models: see docs/adr/0002-statements-instead-of-models.md.
      schemaGeneration: { enabled: false },
      debug: false,
    },
    ...(ownerUrl && { owner: owner(ownerUrl) }),
    ...(standbyUrl && { standby: standby(standbyUrl) }),
  },
})
