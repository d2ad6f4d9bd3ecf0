import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { canInstallPackages, disableUnit, findProgram, installPackages } from './programs.ts'
import { untilServiceReady } from './readiness.ts'
import { StartUpError } from './start_up_error.ts'
import type { Supervisor } from './supervisor.ts'

type RedisOptions = {
  supervisor: Supervisor
  directory: string
  port: number
  ephemeral: boolean
}

/** Starts a private Redis on the loopback address; returns its URL. */
export async function startRedis({ supervisor, directory, port, ephemeral }: RedisOptions) {
  const command = await findOrInstallRedis(supervisor)
  const data = join(directory, 'redis')
  const log = join(directory, 'redis.log')
  await mkdir(data, { recursive: true })
  await writeFile(log, '')

  const redis = await supervisor.start({
    name: 'Redis',
    command,
    args: redisArguments(data, port, ephemeral),
    // Newer servers don't start with a locale that isn't installed.
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    output: { file: log },
    role: 'service',
    graceMs: 10_000,
  })
  await untilServiceReady(redis, () => answersPing(port), log)
  return `redis://127.0.0.1:${port}`
}

export function redisArguments(data: string, port: number, ephemeral: boolean) {
  const settings = {
    'bind': '127.0.0.1',
    'port': String(port),
    'dir': data,
    'daemonize': 'no',
    'save': '',
    'appendonly': ephemeral ? 'no' : 'yes',
    // Redis holds the queues: when memory is short a write must fail, not a job disappear.
    'maxmemory-policy': 'noeviction',
  }
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
}

async function findOrInstallRedis(supervisor: Supervisor) {
  const present = findProgram('redis-server', 'valkey-server')
  if (present) {
    return present
  }
  if (canInstallPackages()) {
    await installPackages(supervisor, 'redis-server')
    await disableUnit(supervisor, 'redis-server')
  }
  const installed = findProgram('redis-server')
  if (!installed) {
    throw new StartUpError(
      'Redis is needed: install redis-server or valkey-server (Debian and Ubuntu: apt-get install redis-server; macOS: brew install redis), or set REDIS_URL to a server of yours.'
    )
  }
  return installed
}

function answersPing(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'))
    const answer = (ready: boolean) => {
      socket.destroy()
      resolve(ready)
    }
    socket.setTimeout(1_000, () => answer(false))
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')))
    socket.once('error', () => answer(false))
  })
}
