import { fileOf, lineOf, matchedRegister, saleOfOrders } from '#tests/support/registers'
import { ownerRows, rows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setTimeout as sleep } from 'node:timers/promises'

test.group('Constraints of the register tables', () => {
  test('no row and no order enters a match of another register', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const mine = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const other = await matchedRegister(partner, fileOf(await lineOf(orders[1])))
    const insert = (table: string, values: string) =>
      `INSERT INTO partner_register_case_${table} ${values}`
    const caseOf = (id: number) =>
      `(SELECT min(id) FROM partner_register_cases WHERE register_id = ${id})`
    const rowIn = (id: number) => insert('rows', `VALUES (${mine}, 2, ${caseOf(id)})`)
    const orderIn = (id: number) =>
      insert('orders', `VALUES (${mine}, '${orders[0]}', ${caseOf(id)}, 'paid', 1, 0)`)
    for (const table of ['rows', 'orders'])
      await ownerRows(`DELETE FROM partner_register_case_${table} WHERE register_id = ?`, mine)
    const nowhere = (sql: string) => sql.replace(caseOf(mine), '0')
    for (const sql of [rowIn(other), orderIn(other), nowhere(rowIn(mine)), nowhere(orderIn(mine))])
      await assert.rejects(() => rows(sql), /is none of this register/)
    for (const sql of [rowIn(mine), orderIn(mine)]) await rows(sql)
    for (const table of ['case_rows', 'case_orders', 'cases'])
      await assert.rejects(
        () =>
          ownerRows(
            `UPDATE partner_register_${table} SET register_id = ? WHERE register_id = ?`,
            other,
            mine
          ),
        /UPDATE of partner_register_\w+ is not allowed/
      )
  })

  test('a match with a row or an order cannot be deleted, even when the row was inserted concurrently', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const id = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const deleteCases = () =>
      ownerRows('DELETE FROM partner_register_cases WHERE register_id = ?', id)
    await assert.rejects(deleteCases, /still has rows or orders/)
    await ownerRows('DELETE FROM partner_register_case_orders WHERE register_id = ?', id)
    await assert.rejects(deleteCases, /still has rows or orders/)
    const [{ line, case_id: caseId }] = await ownerRows(
      'DELETE FROM partner_register_case_rows WHERE register_id = ? RETURNING line, case_id',
      id
    )
    const other = await db.transaction()
    await other.rawQuery('INSERT INTO partner_register_case_rows VALUES (?, ?, ?)', [
      id,
      line,
      caseId,
    ])
    const deleted = deleteCases()
    const isFirst = await Promise.race([deleted.catch(() => 'deleted'), sleep(300, 'waits')])
    await other.commit()
    assert.equal(isFirst, 'waits')
    await assert.rejects(() => deleted, /still has rows or orders/)
    await ownerRows('DELETE FROM partner_register_case_rows WHERE register_id = ?', id)
    await deleteCases()
  })

  test('what rows and matches refer to exists, and stays', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const id = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const [{ id: caseId }] = await rows(
      'SELECT id FROM partner_register_cases WHERE register_id = ? ORDER BY id LIMIT 1',
      id
    )
    const refusals: [sql: string, message: RegExp][] = [
      [
        `INSERT INTO partner_register_rows (register_id, line, raw, kind, is_not_paid, is_unparseable, problems)
         VALUES (0, 2, '[]', 'sale', false, false, '[]')`,
        /no register 0/,
      ],
      [`INSERT INTO partner_register_case_rows VALUES (${id}, 999, ${caseId})`, /no line 999/],
      [
        `INSERT INTO partner_register_case_orders VALUES (${id}, 'TIX-0000-000000', ${caseId}, 'paid', 1, 0)`,
        /no order TIX-0000-000000/,
      ],
      [`DELETE FROM partner_register_rows WHERE register_id = ${id}`, /line \d+ still stands/],
      [`UPDATE partner_register_rows SET line = 999 WHERE register_id = ${id}`, /is not allowed/],
      [`DELETE FROM partner_registers WHERE id = ${id}`, /is not allowed/],
      [`DELETE FROM orders WHERE id = '${orders[0]}'`, /is not allowed/],
    ]
    for (const [sql, message] of refusals) await assert.rejects(() => ownerRows(sql), message)
    await ownerRows('DELETE FROM partner_register_case_rows WHERE register_id = ?', id)
    await ownerRows('DELETE FROM partner_register_rows WHERE register_id = ?', id)
  })
})
