import { cellText } from '#spreadsheets/cell_text'
import { test } from '@japa/runner'

test.group('The visible text of a cell', () => {
  test('a date is the sheet’s own clock, without a zone', ({ assert }) => {
    assert.equal(cellText(new Date('2026-09-30T14:05:30.000Z')), '2026-09-30 14:05:30')
  })

  test('a date at midnight is a day', ({ assert }) => {
    assert.equal(cellText(new Date('2026-09-30T00:00:00.000Z')), '2026-09-30')
  })

  test('a date that is none has no text', ({ assert }) => {
    assert.equal(cellText(new Date(Number.NaN)), '')
  })
})
