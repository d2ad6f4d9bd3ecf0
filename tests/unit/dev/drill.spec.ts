import { type Drill, runDrill } from '../../../dev/drills/drill.js'
import { readDrillArguments } from '../../../dev/drills/drill_arguments.js'
import { DrillReport } from '../../../dev/drills/drill_report.js'
import { processesOf } from '../../../dev/drills/machine_state.js'
import { poll } from '../../../dev/poll.js'
import { commandLineOf } from '../../../dev/process_records.js'
import { test } from '@japa/runner'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const none = async () => {}
const drills = new Map<string, Drill>([
  ['processes', { run: none, options: ['short', 'kills', 'sales'] }],
  ['ha', { run: none }],
])
const read = (...args: string[]) => readDrillArguments(args, drills)

test.group('Arguments of drills', () => {
  test('options are those of the named drill', ({ assert }) => {
    assert.deepEqual(read('processes', '--kills=200', '--sales=1000'), {
      names: ['processes'],
      options: { short: undefined, kills: 200, sales: 1_000 },
    })
  })

  test('without a name all drills run', ({ assert }) => {
    assert.deepEqual(read().names, ['processes', 'ha'])
  })

  test('an option that means nothing to a drill is refused', ({ assert }) => {
    const message = '--kills means nothing to ha: it is an option of npm run drill -- processes'
    assert.throws(() => read('ha', '--kills=200'), message)
    assert.throws(() => read('--kills=200'), message)
    assert.throws(() => read('ha', 'processes', '--sales=5'), /--sales means nothing to ha/)
    assert.throws(() => read('ha', '--short'), /--short means nothing to ha/)
  })

  test('no other number than above 0 is taken', ({ assert }) => {
    assert.throws(() => read('processes', '--kills=0'), '--kills=0 is not a number above 0')
    assert.throws(() => read('soup'), /There is no drill soup/)
  })
})

const LAST_ROW = 'nothing of the drill is left on the machine'

/** Runs a drill; its rows, and the error that ended it. */
async function runOne(run: Drill['run'], cleanup: (act: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'drill-report-'))
  cleanup(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'drill.json')
  let error: Error | undefined
  await runDrill('own', { run }, new DrillReport(file), new AsyncDisposableStack(), {}).catch(
    (reason: Error) => (error = reason)
  )
  const { rows } = JSON.parse(readFileSync(file, 'utf8'))
  return { rows, error }
}

test.group('What a drill leaves', () => {
  test('nothing, also when it ends by an error', async ({ assert, cleanup }) => {
    let directory = ''
    const { rows, error } = await runOne(async (context) => {
      directory = context.directory
      const child = spawn('sleep', ['60'], { cwd: directory })
      context.cleanup.defer(async () => {
        child.kill()
        await once(child, 'exit')
      })
      throw new Error('a part can not be started')
    }, cleanup)
    assert.equal(error?.message, 'a part can not be started')
    assert.isTrue(rows.at(-1).holds, rows.at(-1).seen)
    assert.equal(rows.at(-1).mustHold, LAST_ROW)
    assert.isFalse(existsSync(directory))
  })

  test('a process with its directory, environment or log there is a violation', async ({
    assert,
    cleanup,
  }) => {
    const children: ChildProcess[] = []
    cleanup(() => children.forEach((child) => child.kill()))
    const { rows } = await runOne(async ({ directory }) => {
      children.push(
        spawn('sleep', ['61'], { cwd: directory }),
        spawn('sleep', ['62'], { env: { PATH: process.env.PATH, STORAGE: directory } }),
        spawn('sh', ['-c', `exec sleep 63 > ${directory}/log`])
      )
      const commands = () => children.map(({ pid }) => commandLineOf(pid!).trim())
      // A shell opens its log and becomes the command only after it has been started.
      await poll(() => commands().every((command) => command.startsWith('sleep ')), {
        withinMs: 10_000,
      })
    }, cleanup)
    const { holds, seen } = rows.at(-1)
    assert.isFalse(holds)
    assert.match(seen, /process \d+ sleep 61/)
    assert.match(seen, /process \d+ sleep 62/)
    assert.match(seen, /process \d+ sleep 63/)
  }).timeout(15_000)

  test('a mount is a violation', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'drill-mount-'))
    const target = join(folder, 'disk')
    mkdirSync(target)
    cleanup(() => {
      execFileSync('umount', [target])
      rmSync(folder, { recursive: true })
    })
    const { rows } = await runOne(async () => {
      execFileSync('mount', ['-t', 'tmpfs', 'drill', target])
    }, cleanup)
    assert.isFalse(rows.at(-1).holds)
    assert.include(rows.at(-1).seen, `mount ${target}`)
  })
    .timeout(15_000)
    .skip(process.getuid?.() !== 0, 'only root mounts')

  test('other processes are none of its', ({ assert }) => {
    assert.deepEqual(processesOf('/nowhere-of-any-drill'), [])
  })
})
