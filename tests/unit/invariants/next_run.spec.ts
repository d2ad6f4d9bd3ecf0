import { nextRun, type Situation } from '#invariants/next_run'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/days'
import { test } from '@japa/runner'

const INVARIANT = { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS }
const at = (time: string) => new Date(`2026-12-01T${time}Z`)

/** A full run at midnight that took 40 s, and nothing since. */
const AFTER_FULL: Situation = {
  now: at('00:05:00'),
  isAsked: false,
  ended: { at: at('00:00:40'), tookMs: 40 * SECOND_MS },
  result: { isRed: false, since: null, asOf: at('00:00:00') },
  fullEndedAt: at('00:00:40'),
  fullTriedAt: at('00:00:40'),
}

const next = (
  change: Partial<Situation>,
  invariant: typeof INVARIANT | { everyMs: number; fullEveryMs: null } = INVARIANT
) => nextRun(invariant, { ...AFTER_FULL, ...change })

test.group('The next run of an invariant', () => {
  test('the first one is full, and so is one that somebody asks for', ({ assert }) => {
    const never = { ended: null, result: null, fullEndedAt: null, fullTriedAt: null }
    assert.deepEqual(next(never), { since: null })
    assert.deepEqual(next({ isAsked: true, now: at('00:00:41') }), { since: null })
  })

  test('a run is followed by ten times as long a pause', ({ assert }) => {
    assert.isNull(next({ now: at('00:07:19') }))
    assert.deepEqual(next({ now: at('00:07:20') }), { since: at('00:00:00') })
  })

  test('changes are read from the data of the last run on', ({ assert }) => {
    const ended = { at: at('00:12:00'), tookMs: 5 }
    const result = { isRed: false, since: at('00:00:00'), asOf: at('00:11:59') }
    assert.isNull(next({ ended, result, now: at('00:16:59') }))
    assert.deepEqual(next({ ended, result, now: at('00:17:00') }), { since: at('00:11:59') })
  })

  test('a broken one begins where it began, until its counterexamples are gone', ({ assert }) => {
    const ended = { at: at('00:12:00'), tookMs: 5 }
    const now = at('00:17:00')
    const red = { isRed: true, since: at('00:07:00'), asOf: at('00:11:59') }
    assert.deepEqual(next({ ended, now, result: red }), { since: at('00:07:00') })
    assert.deepEqual(next({ ended, now, result: { ...red, since: null } }), { since: null })
  })

  test('everything is read again after a day, and always where there is no incremental form', ({
    assert,
  }) => {
    const ended = { at: at('23:55:00'), tookMs: 5 }
    const result = { isRed: false, since: at('23:50:00'), asOf: at('23:54:59') }
    const tomorrow = (time: string) => new Date(at(time).getTime() + DAY_MS)
    assert.deepEqual(next({ ended, result, now: tomorrow('00:00:39') }), { since: result.asOf })
    assert.deepEqual(next({ ended, result, now: tomorrow('00:00:40') }), { since: null })
    const small = { everyMs: MINUTE_MS, fullEveryMs: null }
    assert.deepEqual(next({ ended: { at: at('00:01:00'), tookMs: 5 } }, small), { since: null })
  })

  test('a full run that failed is tried again after an hour; changes are read meanwhile', ({
    assert,
  }) => {
    const fullEndedAt = new Date(at('00:00:40').getTime() - DAY_MS)
    const ended = { at: at('01:00:00'), tookMs: 5 }
    const result = { isRed: false, since: at('00:10:00'), asOf: at('00:20:00') }
    const failed = { ended, result, fullEndedAt, fullTriedAt: ended.at }
    assert.deepEqual(next({ ...failed, now: at('01:05:00') }), { since: at('00:20:00') })
    const later = new Date(ended.at.getTime() + HOUR_MS)
    assert.deepEqual(next({ ...failed, now: later }), { since: null })
  })
})
