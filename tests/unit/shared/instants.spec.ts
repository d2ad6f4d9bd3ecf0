import { atOffset, readInstant } from '#shared/instants'
import { test } from '@japa/runner'
import fc from 'fast-check'

const iso = (text: string) => readInstant(text)?.at.toISOString()

test.group('Writing instants', () => {
  const cases: [Date | string, number, string][] = [
    ['2026-12-01T14:00:00Z', 300, '2026-12-01T19:00:00+05:00'],
    ['2026-12-01T14:00:00.120Z', 300, '2026-12-01T19:00:00.120+05:00'],
    ['2026-12-31T21:30:00Z', 300, '2027-01-01T02:30:00+05:00'],
    ['2026-12-01T14:00:00Z', 0, '2026-12-01T14:00:00+00:00'],
    ['2026-12-01T14:00:00Z', -210, '2026-12-01T10:30:00-03:30'],
    ['2026-12-01T14:00:00Z', 345, '2026-12-01T19:45:00+05:45'],
  ]
  for (const [at, offset, text] of cases) {
    test(`${String(at)} at ${offset} minutes is ${text}`, ({ assert }) => {
      assert.equal(atOffset(new Date(at), offset), text)
    })
  }

  test('reads back as the same instant, whatever the offset', () => {
    const range = {
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('9998-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }
    fc.assert(
      fc.property(fc.date(range), fc.integer({ min: -720, max: 840 }), (at, offset) => {
        const text = atOffset(at, offset)
        return readInstant(text)?.at.getTime() === at.getTime() && Date.parse(text) === at.getTime()
      })
    )
  })
})

test.group('Reading a partner’s instants', () => {
  const good: [string, string, string][] = [
    ['2026-12-01T19:00:00+05:00', '2026-12-01T14:00:00.000Z', 'second'],
    ['2026-12-01T14:00:00Z', '2026-12-01T14:00:00.000Z', 'second'],
    ['2026-12-01t14:00:00z', '2026-12-01T14:00:00.000Z', 'second'],
    ['2026-12-01 19:00:00+05:00', '2026-12-01T14:00:00.000Z', 'second'],
    ['2026-12-01T19:00+0500', '2026-12-01T14:00:00.000Z', 'minute'],
    ['2026-12-01T19:00:00+05', '2026-12-01T14:00:00.000Z', 'second'],
    ['2026-12-01T14:00:00.5Z', '2026-12-01T14:00:00.500Z', 'subsecond'],
    ['2026-12-01T14:00:00,123456789Z', '2026-12-01T14:00:00.123Z', 'subsecond'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z', 'second'],
    ['2026-12-01T00:30:00-03:30', '2026-12-01T04:00:00.000Z', 'second'],
    ['1970-01-01T05:00:00+05:00', '1970-01-01T00:00:00.000Z', 'second'],
    ['9999-01-01T04:59:59.999+05:00', '9998-12-31T23:59:59.999Z', 'subsecond'],
  ]
  for (const [text, at, precision] of good) {
    test(`${text} is ${at}, to the ${precision}`, ({ assert }) => {
      assert.equal(iso(text), at)
      assert.equal(readInstant(text)!.precision, precision)
    })
  }

  const bad = [
    '',
    'now',
    '2026-12-01',
    '2026-12-01T19:00:00',
    '1764597600',
    '2026-12-01T19:00:00 +05:00',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T23:60:00Z',
    '2026-12-01T23:59:60Z',
    '2026-12-01T19:00:00+19:00',
    '2026-12-01T19:00:00+05:60',
    '26-12-01T19:00:00Z',
    '2026-12-01T19:00:00.Z',
    '2026-12-01T19:00:00Z\n',
    ' 2026-12-01T19:00:00Z',
    '0001-01-01T00:00:00Z',
    '1970-01-01T04:59:59+05:00',
    '9999-01-01T05:00:00+05:00',
    '9999-12-31T23:59:59Z',
  ]
  for (const text of bad) {
    test(`${JSON.stringify(text)} is not an instant`, ({ assert }) => {
      assert.isNull(readInstant(text))
    })
  }

  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string(), (text) => readInstant(text) === null || text.length >= 17))
  })
})
