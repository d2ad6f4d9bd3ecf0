import { inOtherLayouts } from '#shared/keyboard_layouts'
import { test } from '@japa/runner'

test.group('A text typed in another keyboard layout (keyboard_layouts.ts)', () => {
  const READINGS: [typed: string, meant: string][] = [
    ['ЕШЧ-2026-17', 'TIX-2026-17'],
    ['ыуе-12', 'set-12'],
    ['Fkbz', 'Алия'],
    ['fqu8k', 'айгүл'],
    [':fyfh', 'Жанар'],
    ['<fesh;fy', 'Бауыржан'],
    ['@ktv', 'Әлем'],
    ['Ж', ':'],
    // The row of digits of the Kazakh layout.
    ['ЕШЧөәқәүө1', 'TIX-2028-1'],
    ['фышд"ьфшд.кя', 'asil@mail.rz'],
  ]
  for (const [typed, meant] of READINGS)
    test(`${typed} may be ${meant}`, ({ assert }) => {
      assert.include(inOtherLayouts(typed), meant)
    })

  test('what would be the same is left out', ({ assert }) => {
    for (const text of ['17', '3', '№ 5']) assert.deepEqual(inOtherLayouts(text), [], text)
    assert.deepEqual(inOtherLayouts(''), [])
  })
})
