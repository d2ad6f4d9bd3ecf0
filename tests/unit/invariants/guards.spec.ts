import { GUARDED_VERSION, GUARDS } from '#database/guards'
import { changedGuards } from '#invariants/rules/guards'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readdir } from 'node:fs/promises'

const WANTED = {
  'constraint orders.orders_check': 'a',
  'function refuse_change()': 'b',
  'trigger orders.orders_move_sale': 'c',
}

test.group('Guards', () => {
  test('what is missing or changed is found, and what is new only when it changes or hides rows', ({
    assert,
  }) => {
    const found = changedGuards(
      [
        { name: 'function refuse_change()', hash: 'x' },
        { name: 'trigger orders.orders_move_sale', hash: 'c' },
        { name: 'trigger orders.lose_orders', hash: 'd' },
        { name: 'constraint orders.orders_check2', hash: 'e' },
        { name: 'rule journal.nothing_instead', hash: 'f' },
        { name: 'row security of orders', hash: 'g' },
      ],
      WANTED
    )
    assert.deepEqual(
      found.map(({ code, label }) => [code, label]),
      [
        ['GUARD_MISSING', 'constraint orders.orders_check'],
        ['GUARD_CHANGED', 'function refuse_change()'],
        ['TRIGGER_UNKNOWN', 'trigger orders.lose_orders'],
        ['RULE_UNKNOWN', 'rule journal.nothing_instead'],
        ['RULE_UNKNOWN', 'row security of orders'],
      ]
    )
  })

  test('the list is that of the newest migration (npm test -- --generated)', async ({ assert }) => {
    const files = await readdir(app.makePath('database/migrations'))
    assert.equal(GUARDED_VERSION, Math.max(...files.map((file) => Number.parseInt(file))))
    assert.isAbove(Object.keys(GUARDS).length, 500)
  })
})
