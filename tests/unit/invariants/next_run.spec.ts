import { nextRun, type Situation } from '#invariants/next_run'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/days'
import { test } from '@japa/runner'

const INVARIANT = { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS }
const SMALL = { everyMs: MINUTE_MS, fullEveryMs: null }
const at = (time: string) => new Date(`2026-12-01T${time}Z`)
const later = (date: Date, ms: number) => new Date(date.getTime() + ms)

/** A full run at midnight that took 40 s, and nothing since. */
const AFTER_FULL: Situation = {
  now: at('00:05:40'),
  isAsked: false,
  ended: { at: at('00:00:40'), tookMs: 40 * SECOND_MS, isFull: true },
  result: { isRed: false, since: null, asOf: at('00:00:00') },
  full: { at: at('00:00:40'), tookMs: 40 * SECOND_MS, hasFailed: false },
}
/** Then changes were read in 5 ms. */
const AFTER_CHANGES: Situation = {
  ...AFTER_FULL,
  now: at('00:10:40'),
  ended: { at: at('00:05:40'), tookMs: 5, isFull: false },
  result: { isRed: false, since: at('00:00:00'), asOf: at('00:05:39') },
}

/** What is read next: `full`, or the time from which changes are; null when nothing is due. */
function next(
  situation: Situation,
  change: Partial<Situation> = {},
  { invariant = INVARIANT as typeof INVARIANT | typeof SMALL, allFullMs = 60 * SECOND_MS } = {}
) {
  const run = nextRun(invariant, { ...situation, ...change }, allFullMs)
  return run && (run.since ?? 'full')
}

test.group('The next run of an invariant', () => {
  test('the first one is full, and so is one that somebody asks for', ({ assert }) => {
    assert.equal(next(AFTER_FULL, { ended: null, result: null, full: null }), 'full')
    assert.equal(next(AFTER_FULL, { isAsked: true, now: at('00:00:41') }), 'full')
  })

  test('everything is read again after ten times as long as the full runs of all take', ({
    assert,
  }) => {
    assert.isNull(next(AFTER_FULL, { now: at('00:05:39') }))
    assert.deepEqual(next(AFTER_FULL), at('00:00:00'))
    assert.isNull(next(AFTER_CHANGES, { now: at('00:10:39') }))
    assert.equal(next(AFTER_CHANGES), 'full')
    assert.deepEqual(next(AFTER_CHANGES, {}, { allFullMs: 61 * SECOND_MS }), at('00:05:39'))
  })

  test('every run is full where that takes little, but none comes before its time', ({
    assert,
  }) => {
    assert.equal(next(AFTER_FULL, {}, { allFullMs: 30 * SECOND_MS }), 'full')
    assert.isNull(next(AFTER_FULL, { now: at('00:05:39') }, { allFullMs: 1 }))
  })

  test('everything is read again after a day, however long it takes', ({ assert }) => {
    const allFullMs = 3 * HOUR_MS
    const full = later(AFTER_FULL.full!.at, DAY_MS)
    const ended = { ...AFTER_CHANGES.ended!, at: later(full, -HOUR_MS) }
    assert.deepEqual(
      next(AFTER_CHANGES, { ended, now: later(full, -1) }, { allFullMs }),
      at('00:05:39')
    )
    assert.equal(next(AFTER_CHANGES, { ended, now: full }, { allFullMs }), 'full')
  })

  test('a run that reads changes is followed by ten times as long a pause', ({ assert }) => {
    const ended = { at: at('00:05:40'), tookMs: 40 * SECOND_MS, isFull: false }
    const large = { allFullMs: HOUR_MS }
    assert.isNull(next(AFTER_CHANGES, { ended, now: at('00:12:19') }, large))
    assert.deepEqual(next(AFTER_CHANGES, { ended, now: at('00:12:20') }, large), at('00:05:39'))
  })

  test('a broken one begins where it began, until its counterexamples are gone', ({ assert }) => {
    const red = { isRed: true, since: at('00:07:00'), asOf: at('00:05:39') }
    const large = { allFullMs: HOUR_MS }
    assert.deepEqual(next(AFTER_CHANGES, { result: red }, large), at('00:07:00'))
    // Found by a full run: repeated in full, after its own pause.
    const inFull = { ...AFTER_FULL, result: { ...red, since: null } }
    assert.isNull(next(inFull, { now: at('00:07:19') }, large))
    assert.equal(next(inFull, { now: at('00:07:20') }, large), 'full')
  })

  test('one without an incremental form keeps its own pause', ({ assert }) => {
    const small = { invariant: SMALL, allFullMs: HOUR_MS }
    assert.isNull(next(AFTER_FULL, { now: at('00:07:19') }, small))
    assert.equal(next(AFTER_FULL, { now: at('00:07:20') }, small), 'full')
  })

  test('a full run that failed is tried again after an hour; changes are read meanwhile', ({
    assert,
  }) => {
    const failed = {
      ended: { at: at('01:00:00'), tookMs: 5, isFull: true },
      full: { at: at('01:00:00'), tookMs: 5, hasFailed: true },
    }
    assert.deepEqual(next(AFTER_CHANGES, { ...failed, now: at('01:05:00') }), at('00:05:39'))
    assert.equal(next(AFTER_CHANGES, { ...failed, now: at('02:00:00') }), 'full')
  })

  test('a run is expected to take as long as the last one of its form', ({ assert }) => {
    const expected = (situation: Situation, allFullMs: number) =>
      nextRun(INVARIANT, situation, allFullMs)!.expectedMs
    assert.equal(expected(AFTER_FULL, 1), 40 * SECOND_MS)
    assert.equal(expected(AFTER_FULL, HOUR_MS), 0)
    assert.equal(expected(AFTER_CHANGES, HOUR_MS), 5)
  })
})
