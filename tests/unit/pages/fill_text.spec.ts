import { fillText } from '../../../resources/texts/fill_text.js'
import { test } from '@japa/runner'

test.group('Texts with values', () => {
  for (const [text, day, filled] of [
    ['Бірінші күні: {day}.', '2026 ж. 30 қыр.', 'Бірінші күні: 2026 ж. 30 қыр.'],
    ['Первый день: {day}.', '30 июня', 'Первый день: 30 июня.'],
    ['{day}, 19:00.', '30 қыр.', '30 қыр., 19:00.'],
  ])
    test(`“${text}” with “${day}” has one stop`, ({ assert }) => {
      assert.equal(
        fillText(text, () => day),
        filled
      )
    })
})
