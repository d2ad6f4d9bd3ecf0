import { showsDate } from '#spreadsheets/reading/date_styles'
import { test } from '@japa/runner'

test.group('Number formats', () => {
  // prettier-ignore
  const cases: [code: string, isDate: boolean][] = [
    ['dd.mm.yyyy hh:mm:ss', true],
    ['[$-419]d mmm yyyy;@', true],
    ['[h]:mm', true],
    ['yyyy"г."', true],
    ['#,##0', false],
    ['#,##0 [$₸-43F]', false],
    ['0.00 "дней"', false],
    ['0" days"', false],
    ['[Red]-0.00', false],
    ['[>=1000000]0.0,,"M";0', false],
    ['0\\d', false],
    ['General', false],
    ['@', false],
    ['_-* #,##0.00_-;-* #,##0.00_-', false],
  ]
  for (const [code, isDate] of cases) {
    test(`${code} ${isDate ? 'shows' : 'does not show'} a date`, ({ assert }) => {
      assert.equal(showsDate(code), isDate)
    })
  }
})
