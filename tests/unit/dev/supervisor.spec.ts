import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'
import { existsSync, readFileSync } from 'node:fs'
import { poll } from '../../../dev/poll.ts'
import { identify } from '../../../dev/process_records.ts'
import { Interrupted, StartUpError } from '../../../dev/start_up_error.ts'
import { Supervisor, type ProcessSpec } from '../../../dev/supervisor.ts'

const STAYS = 'setInterval(() => {}, 1_000)'
const endsWith = (code: number, afterMs: number) =>
  `setTimeout(() => process.exit(${code}), ${afterMs})`

test.group('Supervised processes', (group) => {
  const scratch = scratchDirectory(group)

  async function startAll(...all: Pick<ProcessSpec, 'name' | 'role'>[]) {
    const supervisor = new Supervisor(scratch.path)
    const spec = (source: string) => ({
      command: process.execPath,
      args: ['-e', source],
      output: { file: scratch.at('output.log') },
    })
    const sources: Record<string, string> = { web: STAYS, dies: endsWith(3, 200) }
    for (const one of all) {
      await supervisor.start({ ...one, ...spec(sources[one.name] ?? endsWith(0, 50)) })
    }
    return supervisor
  }

  test('a program that ends by itself is reported with its exit code', async ({
    assert,
    cleanup,
  }) => {
    const supervisor = await startAll({ name: 'web' }, { name: 'dies' })
    cleanup(() => supervisor.stop())
    const error = await supervisor.failWhenOneEnds().catch((reason: unknown) => reason)
    assert.instanceOf(error, StartUpError)
    assert.match((error as Error).message, /^dies has ended by itself \(exit code 3\)/)
  })

  test('the end of a command is no failure of the services', async ({ assert, cleanup }) => {
    const supervisor = await startAll({ name: 'seed', role: 'command' }, { name: 'dies' })
    cleanup(() => supervisor.stop())
    const error = await supervisor.failWhenOneEnds().catch((reason: unknown) => reason)
    assert.match((error as Error).message, /^dies /, 'the command has ended before')
  })

  test('a process that we stop is interrupted, not failed', async ({ assert }) => {
    const supervisor = await startAll({ name: 'web' })
    const failure = supervisor.failWhenOneEnds().catch((reason: unknown) => reason)
    await supervisor.stop()
    assert.instanceOf(await failure, Interrupted)
  })

  /** A program that writes down when each of its processes started, the process ids of both, and runs a child as a watcher does. */
  async function startFamily(supervisor: Supervisor) {
    const file = scratch.at('family')
    const source = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', '${STAYS}'], { stdio: 'inherit' })
      require('node:fs').appendFileSync('${file}', [Date.now(), process.pid, child.pid].join(' ') + '\\n')
      ${STAYS}`
    const output = { file: scratch.at('output.log') }
    await supervisor.start({ name: 'web', command: process.execPath, args: ['-e', source], output })
    return async (count: number) => {
      const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '').trimEnd().split('\n')
      const starts = () =>
        read()
          .filter(Boolean)
          .map((line) => {
            const [startedAt, pid, child] = line.split(' ').map(Number)
            return { startedAt, pid, child }
          })
      await poll(() => starts().length >= count, { withinMs: 15_000 })
      return starts()[count - 1]
    }
  }

  test('a killed program starts again, and nothing of the killed one is left', async ({
    assert,
    cleanup,
  }) => {
    const supervisor = new Supervisor(scratch.path)
    cleanup(() => supervisor.stop())
    const start = await startFamily(supervisor)
    const first = await start(1)
    const ended = supervisor.keepRunning().catch((reason: unknown) => reason)
    process.kill(first.pid, 'SIGKILL')
    const second = await start(2)
    assert.notEqual(second.pid, first.pid)
    assert.isUndefined(identify(first.child), 'its child would keep the port')
    await supervisor.stop()
    assert.instanceOf(await ended, Interrupted)
    assert.isUndefined(identify(second.pid))
  })

  test('a program that ended as often as the limit allows waits until it may start again', async ({
    assert,
    cleanup,
  }) => {
    const supervisor = new Supervisor(scratch.path)
    cleanup(() => supervisor.stop())
    const start = await startFamily(supervisor)
    const limit = { most: 2, withinMs: 4_000 }
    void supervisor.keepRunning(limit).catch(() => {})
    const starts = []
    for (const count of [1, 2, 3, 4]) {
      const started = await start(count)
      starts.push(started)
      process.kill(started.pid, 'SIGKILL')
    }
    const [, second, third, fourth] = starts.map(({ startedAt }) => startedAt)
    assert.isBelow(third - second, limit.withinMs)
    // A program writes its time a moment after its start.
    assert.isAtLeast(fourth - second, limit.withinMs - 1_000)
  })
})
