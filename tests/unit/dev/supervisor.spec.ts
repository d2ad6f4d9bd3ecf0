import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'
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
})
