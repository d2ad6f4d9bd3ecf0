import { chmodSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort, rememberedPort } from './ports.ts'
import { clusterData, startPostgres } from './postgres.ts'
import { hasRecords, ownerOf, stopLeftovers } from './process_records.ts'
import { startRedis } from './redis.ts'
import { Supervisor } from './supervisor.ts'
import { takeOver } from './take_over.ts'

const EPHEMERAL_PREFIX = 'ticket-partners-ephemeral-'
const ABANDONED_AFTER_MS = 10 * 60_000

export type Services = {
  databaseUrl: string
  redisUrl: string
  /** Stops what was started; of ephemeral services nothing is left on disk. */
  stop(): Promise<void>
}

type ServicesOptions = {
  /** Holds data, logs, passwords and ports. */
  directory: string
  /** Fresh, without durability on disk, and removed on `stop`. */
  ephemeral: boolean
  /** Servers that exist already: used as they are, neither started nor stopped. */
  databaseUrl?: string
  redisUrl?: string
  /** Given by a caller that starts processes of its own beside the services. */
  supervisor?: Supervisor
}

/** A private PostgreSQL and a private Redis on free ports of 127.0.0.1. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const directory = resolve(options.directory)
  const { ephemeral } = options
  const supervisor = options.supervisor ?? (await superviseAlone(directory, ephemeral))
  const stop = async () => {
    await supervisor.stop()
    if (ephemeral) {
      await removeServices(directory)
    }
  }
  const choosePort = (name: string) =>
    ephemeral ? freePort() : rememberedPort(join(directory, 'ports.json'), name)
  const setting = { supervisor, directory, ephemeral }

  try {
    const databaseUrl =
      options.databaseUrl ??
      (await startPostgres({ ...setting, port: await choosePort('postgres') }))
    const redisUrl =
      options.redisUrl ?? (await startRedis({ ...setting, port: await choosePort('redis') }))
    return { databaseUrl, redisUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function superviseAlone(directory: string, ephemeral: boolean) {
  await takeOver(directory)
  if (ephemeral) {
    await removeServices(directory)
  }
  return new Supervisor(directory)
}

/** Removes the data of services that are not running. */
export async function removeServices(directory: string) {
  const cluster = clusterData(directory)
  await Promise.all(
    [cluster, directory].map((path) => path && rm(path, { recursive: true, force: true }))
  )
}

/** A new directory for ephemeral services; those of runs that were killed are cleared away. */
export async function ephemeralDirectory() {
  await removeAbandoned()
  const directory = await mkdtemp(join(tmpdir(), EPHEMERAL_PREFIX))
  chmodSync(directory, 0o755)
  return directory
}

async function removeAbandoned() {
  const names = await readdir(tmpdir())
  for (const name of names.filter((each) => each.startsWith(EPHEMERAL_PREFIX))) {
    const directory = join(tmpdir(), name)
    if (await isAbandoned(directory)) {
      await stopLeftovers(directory)
      await removeServices(directory).catch(() => {})
    }
  }
}

async function isAbandoned(directory: string) {
  const { uid, mtimeMs } = await stat(directory).catch(() => ({ uid: -1, mtimeMs: 0 }))
  if (uid !== process.getuid?.() || ownerOf(directory)) {
    return false
  }
  return hasRecords(directory) || Date.now() - mtimeMs > ABANDONED_AFTER_MS
}
