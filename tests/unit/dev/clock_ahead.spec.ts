import { libraryFor } from '../../../dev/drills/faults/clock_ahead.js'
import { test } from '@japa/runner'

test.group('The library that shifts the clock of a drill', () => {
  test('is where Debian has it for each processor', ({ assert }) => {
    assert.equal(libraryFor('x64'), '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1')
    assert.equal(libraryFor('arm64'), '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1')
    assert.throws(() => libraryFor('s390x'), 'the drill knows no libfaketime for s390x')
  })
})
