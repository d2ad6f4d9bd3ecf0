import { isBin } from '#shared/bin'
import { test } from '@japa/runner'

test.group('BIN', () => {
  test('{name} has the control digit')
    .with([
      { name: 'Kaspi Bank', bin: '971240001315' },
      { name: 'Halyk Bank', bin: '940140000385' },
      { name: 'Kazakhtelecom', bin: '941240000193' },
      { name: 'KazMunayGas', bin: '020240000555' },
    ])
    .run(({ assert }, { bin }) => {
      assert.isTrue(isBin(bin))
      const [first, second, ...rest] = bin
      assert.isFalse(isBin([second, first, ...rest].join('')), 'two digits exchanged')
      for (let digit = 0; digit < 10; digit++)
        assert.equal(isBin(bin.slice(0, 11) + digit), digit === Number(bin[11]))
    })

  test('the second weights are taken where the first give 10', ({ assert }) => {
    assert.isTrue(isBin('170240000017'))
    assert.isFalse(isBin('170240000010'))
  })

  test('where both give 10 no digit is right: such a number is not issued', ({ assert }) => {
    for (let digit = 0; digit < 10; digit++) assert.isFalse(isBin(`17024000008${digit}`))
  })

  test('anything but twelve digits is none', ({ assert }) => {
    for (const text of ['', '97124000131', '9712400013155', '97124000131x', '971240001315\n'])
      assert.isFalse(isBin(text), text)
  })
})
