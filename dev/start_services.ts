import { chmodSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort, rememberedPort } from './ports.ts'
import { clusterData, type DatabaseUrls, startPostgres } from './postgres.ts'
import {
  claimDirectory,
  hasRecords,
  ownerOf,
  ProcessRecords,
  stopLeftovers,
} from './process_records.ts'
import { startRedis } from './redis.ts'
import { Supervisor } from './supervisor.ts'

const EPHEMERAL_PREFIX = 'ticket-partners-ephemeral-'
const ABANDONED_AFTER_MS = 10 * 60_000

export type Services = {
  databaseUrls: DatabaseUrls
  redisUrl: string
  /** Stops the started services, and removes the data of ephemeral ones. */
  stop(): Promise<void>
}

type ServicesOptions = {
  /** Contains data, logs, passwords and ports. */
  directory: string
  /** Empty at first, without fsync, and removed by `stop`. */
  ephemeral: boolean
  /** Existing servers, which are neither started nor stopped. */
  databaseUrls?: DatabaseUrls
  redisUrl?: string
  /** Given by a caller that also starts other processes. */
  supervisor?: Supervisor
}

/** Starts a private PostgreSQL and a private Redis on free ports of 127.0.0.1. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const directory = resolve(options.directory)
  const { ephemeral } = options
  const supervisor = options.supervisor ?? (await createSupervisor(directory, ephemeral))
  const stop = async () => {
    await supervisor.stop()
    if (ephemeral) {
      await removeServices(directory)
    }
  }
  const choosePort = (name: string) =>
    ephemeral ? freePort() : rememberedPort(join(directory, 'ports.json'), name)
  const common = { supervisor, directory, ephemeral }

  try {
    const databaseUrls =
      options.databaseUrls ??
      (await startPostgres({ ...common, port: await choosePort('postgres') }))
    const redisUrl =
      options.redisUrl ?? (await startRedis({ ...common, port: await choosePort('redis') }))
    return { databaseUrls, redisUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function createSupervisor(directory: string, ephemeral: boolean) {
  await claimDirectory(directory)
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

/** Creates a directory for ephemeral services, and removes those of start-ups that were killed. */
export async function createEphemeralDirectory() {
  await removeAbandoned()
  const directory = await mkdtemp(join(tmpdir(), EPHEMERAL_PREFIX))
  chmodSync(directory, 0o755)
  // Of several directories of a run a supervisor records one: the others would look abandoned to the next run, which removes them.
  new ProcessRecords(directory)
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
