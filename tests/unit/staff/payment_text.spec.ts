import { mayBePayment } from '#staff_area/payment_text'
import { test } from '@japa/runner'

test.group('A text that may be the id of a payment', () => {
  test('has a digit, and is neither an e-mail, a phone with +, nor a number of ours', ({
    assert,
  }) => {
    const payments = ['pay-17', '123456789012', '87011234567', 'KZ 17/2', '17']
    assert.deepEqual(payments.filter(mayBePayment), payments)
    const others = ['Айгүл Омарова', 'buyer17@example.kz', '+7 701 123-45-67', 'TIX-2026-000017']
    assert.deepEqual(others.filter(mayBePayment), [])
  })
})
