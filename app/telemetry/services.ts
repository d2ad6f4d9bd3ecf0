import { openQueues, type Queues } from '#start/queues'
import { registry } from '#telemetry/registry'
import { waitingForPlace } from '#shared/connection_places'
import { readFigures } from '#telemetry/figures'
import db from '@adonisjs/lucid/services/db'
import redis from '@adonisjs/redis/services/main'
import logger from '@adonisjs/core/services/logger'
import { Gauge } from 'prom-client'

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const

const up = new Gauge({
  name: 'service_up',
  help: '1 when the service answered just now',
  labelNames: ['service'],
  registers: [registry],
})
const pool = new Gauge({
  name: 'database_connections',
  help: "Connections of this process's pool, and those who wait for one",
  labelNames: ['state'],
  registers: [registry],
})
const queueJobs = new Gauge({
  name: 'queue_jobs',
  help: 'Jobs in Redis, by queue and state',
  labelNames: ['queue', 'state'],
  registers: [registry],
})

interface Pool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
}

/** The metrics in Prometheus's text format; a service that is down is shown as down, with all other metrics. */
export async function measure(): Promise<{ type: string; text: string }> {
  const { pool: connections } = db.connection().getWriteClient().client as { pool: Pool }
  pool.set({ state: 'used' }, connections.numUsed())
  pool.set({ state: 'free' }, connections.numFree())
  pool.set({ state: 'waiting' }, connections.numPendingAcquires() + waitingForPlace())
  await Promise.all([
    measureService('postgresql', readFigures),
    measureService('redis', readQueues),
  ])
  return { type: registry.contentType, text: await registry.metrics() }
}

async function measureService(service: string, read: () => Promise<void>) {
  try {
    await read()
    up.set({ service }, 1)
  } catch (error) {
    up.set({ service }, 0)
    logger.warn({ err: error }, `${service} could not be measured`)
  }
}

let queues: Queues | undefined

async function readQueues() {
  const connection = redis.connection('jobs').ioConnection
  await connection.ping()
  queues ??= openQueues(connection)
  for (const queue of Object.values(queues)) {
    const counts = await queue.getJobCounts(...STATES)
    for (const state of STATES) queueJobs.set({ queue: queue.name, state }, counts[state])
  }
}
