import {
  assertSettings,
  DEFAULT_SETTINGS,
  LONGEST_WINDOW_SECONDS,
  partnerBudget,
  withReserve,
} from '#partners/settings'
import { test } from '@japa/runner'

test.group('Slots of a partner', () => {
  test('confirms and cancels have a quarter more, rounded up', ({ assert }) => {
    const slots = [1, 4, 5, 20].map((inFlight) => withReserve(partnerBudget(1, 100, inFlight)))
    assert.deepEqual(
      slots.map(({ inFlight }) => inFlight),
      [2, 5, 7, 25]
    )
  })
})

test.group('Limits of a partner', () => {
  test('are at least one, and a window is a day at most', ({ assert }) => {
    const isValid = (changes: Partial<typeof DEFAULT_SETTINGS>) => {
      try {
        assertSettings({ ...DEFAULT_SETTINGS, ...changes })
        return true
      } catch {
        return false
      }
    }
    const valid = [{ requestsPerMinute: 1 }, { holdSeconds: LONGEST_WINDOW_SECONDS }]
    const invalid = [{ requestsPerMinute: 0 }, { holdSeconds: LONGEST_WINDOW_SECONDS + 1 }]
    assert.deepEqual(valid.map(isValid), [true, true])
    assert.deepEqual(invalid.map(isValid), [false, false])
  })
})
