import { FreshRead } from '#shared/fresh_read'
import { test } from '@japa/runner'
import fc from 'fast-check'

/** A source whose reads start on request and end when the test says so. */
class Source {
  begun = 0
  #ends: (() => void)[] = []

  load = () => {
    const number = ++this.begun
    return new Promise<number>((resolve) => this.#ends.push(() => resolve(number)))
  }

  endOldest = () => this.#ends.shift()?.()
}

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))
/** Long enough for a read that waits for the end of a turn to begin. */
const turn = () => immediate().then(immediate)

test.group('FreshRead', () => {
  test('a request starts a read when none is running', async ({ assert }) => {
    const source = new Source()
    const read = new FreshRead<number>().read('a', source.load)
    await turn()
    source.endOldest()
    assert.equal(await read, 1)
  })

  test('requests in the same turn of the event loop share one read', async ({ assert }) => {
    const [source, reads] = [new Source(), new FreshRead<number>()]
    const crowd = Array.from({ length: 100 }, () => reads.read('a', source.load))
    assert.equal(source.begun, 0)
    await turn()
    source.endOldest()

    assert.deepEqual(new Set(await Promise.all(crowd)), new Set([1]))
    assert.equal(source.begun, 1)
  })

  test('later requests never get the running read but share the next one', async ({ assert }) => {
    const [source, reads] = [new Source(), new FreshRead<number>()]
    const first = reads.read('a', source.load)
    await turn()
    const crowd = Array.from({ length: 100 }, () => reads.read('a', source.load))
    await turn()
    assert.equal(source.begun, 1)

    source.endOldest()
    await turn()
    source.endOldest()

    assert.equal(await first, 1)
    assert.deepEqual(new Set(await Promise.all(crowd)), new Set([2]))
    assert.equal(source.begun, 2)
  })

  test('different keys have separate reads', async ({ assert }) => {
    const [source, reads] = [new Source(), new FreshRead<number>()]
    const both = [reads.read('a', source.load), reads.read('b', source.load)]
    await turn()
    source.endOldest()
    source.endOldest()
    assert.deepEqual(await Promise.all(both), [1, 2])
  })

  test('a failed read fails its own requests and no later one', async ({ assert }) => {
    const reads = new FreshRead<string>()
    const failing = () => turn().then(() => Promise.reject(new Error('lost')))
    const [first, second] = [reads.read('a', failing), reads.read('a', failing)]
    await assert.rejects(() => first, 'lost')
    await assert.rejects(() => second, 'lost')
    const thrower = () => {
      throw new Error('at once')
    }
    await assert.rejects(() => reads.read('a', thrower), 'at once')
    assert.equal(await reads.read('a', () => Promise.resolve('here')), 'here')
  })

  test('in any order of requests and reads, no answer is older than its request', async () => {
    const moves = fc.array(fc.constantFrom('ask', 'ask', 'end', 'turn'), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(moves, async (history) => {
        const [source, reads] = [new Source(), new FreshRead<number>()]
        const asked: Promise<boolean>[] = []
        for (const move of history) {
          if (move === 'end') source.endOldest()
          if (move === 'turn') await turn()
          if (move !== 'ask') continue
          const before = source.begun
          asked.push(reads.read('a', source.load).then((number) => number > before))
        }
        for (let i = 0; i < history.length + 2; i++) {
          source.endOldest()
          await turn()
        }
        const answers = await Promise.all(asked)
        return answers.every(Boolean)
      })
    )
  })
})
