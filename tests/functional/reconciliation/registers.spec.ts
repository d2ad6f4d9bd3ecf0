import { listMatches } from '#finance/registers/list_matches'
import DropRegister from '#reconciliation/actions/drop_register'
import IssueStatement from '#ledger/actions/issue_statement'
import { LookAgain } from '#reconciliation/actions/set_register_mapping'
import { findRegister } from '#reconciliation/store/find_register'
import { registerPath } from '#reconciliation/store/register_file'
import matchRegister from '#worker/run_kinds/match_register'
import readRegister from '#worker/run_kinds/read_register'
import type { RunContext } from '#runs/run_body'
import { aSale, TESTER } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import {
  ASKER,
  categoriesOf,
  confirmRegister,
  context,
  decideMatches,
  fileOf,
  partnerFieldsOf,
  lineOf,
  mapColumns,
  matchAgain,
  matchedRegister,
  midnight,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  ticketsOf,
  matchesOf,
  upload,
  versionOf,
  soldOrderOf,
} from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const isTaken = async (...given: Parameters<typeof upload>) => {
  const uploaded = await upload(...given)
  return uploaded.isNew
}

const HOUR_MS = 3_600_000

/** A week amid the month before last, and the first noon of it. */
function aWeek() {
  const today = new Date()
  const noon = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 2, 15, 7))
  const from = new Date(noon.getTime() - 12 * HOUR_MS)
  return { noon, days: { from, to: new Date(from.getTime() + 7 * 24 * HOUR_MS) } }
}

/** What somebody reads of each case: category, exposure and reason. */
const verdictsOf = (registerId: number) =>
  rows(
    `SELECT category, exposure_tenge::int AS tenge, exposure_party AS party, why #>> '{0,code}' AS why
       FROM partner_register_cases WHERE register_id = ? ORDER BY place`,
    registerId
  )

test.group('Partner registers', () => {
  test('a file is kept, mapped, read and matched, and every row of it is accounted for', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const lines = [await lineOf(orders[0]), await lineOf(orders[1], { tenge: '12500' })]
    const stranger = 'o-unknown;pay-unknown;01.09.2026 10:00:00;5000;Оплата'
    const registerId = await matchedRegister(partner, fileOf(...lines, stranger, 'Итого;;;29500;'))
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED EXACT [2] ${orders[0]}`,
      `AMOUNT_DIFF EXACT [3] ${orders[1]}`,
      'OUT_OF_SCOPE NONE [4]',
      `MISSING_AT_PARTNER NONE [] ${orders[2]}`,
    ])
    const { state, control, totals, encoding } = await findRegister(registerId)
    assert.equal(state, 'matched')
    assert.equal(encoding, 'utf-8')
    assert.deepInclude(control!, { rowsIn: 3, sumTenge: '29500', sum: 'AGREES' })
    assert.deepInclude(totals!.AMOUNT_DIFF, { rows: 1, rowsTenge: '12500', ordersTenge: '12000' })
    const journal = await rows(
      `SELECT name FROM journal WHERE partner_id = ? AND name LIKE 'register%' ORDER BY id`,
      partner.id
    )
    assert.deepEqual(
      journal.map(({ name }) => name),
      ['register_uploaded', 'register_mapped']
    )
  })

  test('of a week say the same before the statement of the whole month is issued and after it', async ({
    assert,
  }) => {
    const { partner, client, orders } = await saleOfOrders(3)
    await setTerms(partner)
    await moveInTime(partner, '-3 days')
    await refund(client, orders[0], await ticketsOf(orders[0]))
    await moveInTime(partner, '-1 minute')
    const { noon, days } = aWeek()
    await moveInTime(partner, `-${Math.floor((Date.now() - noon.getTime()) / 1000)} seconds`)
    const returned = await lineOf(orders[0], { tenge: '-12000' })
    const registerId = await matchedRegister(partner, fileOf(returned), days)
    const before = await verdictsOf(registerId)
    assert.deepEqual(before, [
      { category: 'MATCHED', tenge: 0, party: 'NONE', why: 'REFUND_OF_EARLIER_SALE' },
    ])
    await new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER })
    await matchAgain(registerId)
    assert.deepEqual(await verdictsOf(registerId), before)
  })

  test('show the refunds of their days, of one order in each of two', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const [first, second] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [first])
    await moveInTime(sale.partner, '-7 days')
    const lines = [await lineOf(orderId), await lineOf(orderId, { tenge: '-12000' })]
    const [from, amid, to] = [-10, -5, 1].map(midnight)
    const earlier = await matchedRegister(sale.partner, fileOf(...lines), { from, to: amid })
    await refund(sale.client, orderId, [second])
    const later = await matchedRegister(sale.partner, fileOf(lines[1]), { from: amid, to })
    const found = [...(await verdictsOf(earlier)), ...(await verdictsOf(later))]
    assert.deepEqual(found, [
      { category: 'MATCHED', tenge: 0, party: 'NONE', why: null },
      { category: 'MATCHED', tenge: 0, party: 'NONE', why: 'REFUND_OF_EARLIER_SALE' },
    ])
  })

  test('the same file is the same register, also when two send it at once', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const file = fileOf(await lineOf(orders[0]))
    const both = await Promise.all([upload(partner, file), upload(partner, file)])
    assert.lengthOf(new Set(both.map(({ registerId }) => registerId)), 1)
    assert.sameMembers(
      both.map(({ isNew }) => isNew),
      [true, false]
    )
    assert.isFalse(await isTaken(partner, file, { fileName: 'другое имя.csv' }))
    const other = await aSale()
    assert.isTrue(await isTaken(other.partner, file))
  })

  test('a mapping is proposed again from the partner’s last one', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const header = 'Ref A;Ref B;When;Value'
    const row = async (id: string) => {
      const line = await lineOf(id)
      return line.split(';').slice(0, 4).join(';')
    }
    const first = await upload(partner, [header, await row(orders[0])].join('\n'))
    const { version } = await findRegister(first.registerId)
    await new LookAgain().handle({ registerId: first.registerId, version, headerLine: 1 })
    await mapColumns(first.registerId, { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3 })
    const second = await upload(partner, [header, await row(orders[1])].join('\n'))
    const { preview } = await findRegister(second.registerId)
    const { proposal } = preview
    assert.equal(proposal.remembered, 'APPLIED')
    assert.deepEqual(proposal.mapping, { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3 })
  })

  test('what cannot be a mapping is refused, and an old form too', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const { registerId } = await upload(partner, fileOf(await lineOf(orders[0])))
    const refused = async (mapping: object) =>
      (await refusalOf(mapColumns(registerId, mapping)))!.refusalCode
    assert.equal(await refused({ partnerOrderId: 0 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3, orderId: 3 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3, orderId: 17 }), 'INVALID_PARAMETERS')
    assert.equal(await refused({ amount: 3, colour: 1 }), 'INVALID_PARAMETERS')
    assert.equal(
      (await refusalOf(confirmRegister(registerId)))!.refusalCode,
      'STATUS_NOT_REACHABLE'
    )
  })

  test('a repeated matching keeps what people have decided', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const known = await partnerFieldsOf(orders[0])
    const damaged = await lineOf(orders[0], {
      key: `  ${known.key.toUpperCase()}`,
      payment: '',
    })
    const registerId = await matchedRegister(partner, fileOf(damaged))
    const [firstTold] = await matchesOf(registerId)
    assert.include(firstTold, 'SUGGESTED_BY_ID')
    assert.deepInclude(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'SUGGESTIONS_UNDECIDED',
      count: 1,
    })
    const { changed, left } = await decideMatches(registerId, {
      decision: 'accepted',
      dueOn: '2026-12-01',
      note: 'Проверено',
    })
    assert.lengthOf(changed, 1)
    assert.lengthOf(left, 2)
    await matchAgain(registerId)
    const kept = await one(
      `SELECT decision, due_on::text, note FROM partner_register_cases WHERE register_id = ? AND is_suggested`,
      registerId
    )
    assert.deepEqual(kept, { decision: 'accepted', due_on: '2026-12-01', note: 'Проверено' })
    await mapColumns(registerId)
    await readAndMatch(registerId)
    const still = await one(
      `SELECT decision FROM partner_register_cases WHERE register_id = ? AND is_suggested`,
      registerId
    )
    assert.equal(still.decision, 'accepted')
    await confirmRegister(registerId)
    assert.equal(
      (await refusalOf(decideMatches(registerId, { decision: 'open' })))!.refusalCode,
      'STATUS_NOT_REACHABLE'
    )
    const noted = await decideMatches(registerId, { note: 'После' })
    assert.lengthOf(noted.changed, 3)
    assert.equal((await refusalOf(matchAgain(registerId)))!.refusalCode, 'STATUS_NOT_REACHABLE')
  })

  test('one of two who decide at once is told', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const { id, version } = await one(
      'SELECT id, version FROM partner_register_cases WHERE register_id = ? AND place = 0',
      registerId
    )
    const { default: DecideMatch } = await import('#reconciliation/actions/decide_match')
    const act = (note: string) =>
      refusalOf(
        new DecideMatch().handle({
          registerId,
          cases: [{ caseId: id, version }],
          change: { note },
          actor: TESTER,
        })
      )
    const outcomes = await Promise.all([act('одно'), act('другое')])
    assert.sameMembers(
      outcomes.map((outcome) => outcome?.refusalCode),
      [undefined, 'STALE']
    )
  })

  test('broken off at any moment, nothing is half done', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const { registerId } = await upload(partner, fileOf(await lineOf(orders[0])))
    await mapColumns(registerId)
    const brokenAt = (phase: string, work: (more: RunContext) => Promise<unknown>) => {
      const abort = new AbortController()
      const progress = (at: { phase: string }) => {
        if (at.phase === phase) abort.abort()
      }
      return assert.rejects(() => work(context({ signal: abort.signal, progress })))
    }
    const count = async (table: string) => {
      const { n } = await one(
        `SELECT count(*)::int AS n FROM ${table} WHERE register_id = ?`,
        registerId
      )
      return n as number
    }
    for (const phase of ['reading', 'saving'])
      await brokenAt(phase, (more) => readRegister({ registerId }, more))
    assert.equal(await count('partner_register_rows'), 0)
    await readRegister({ registerId }, context())
    for (const phase of ['matching', 'saving'])
      await brokenAt(phase, (more) => matchRegister({ registerId }, more))
    assert.equal(await count('partner_register_cases'), 0)
    await matchAgain(registerId)
    assert.deepEqual(await categoriesOf(registerId), [
      'MATCHED',
      'MISSING_AT_PARTNER',
      'MISSING_AT_PARTNER',
    ])
  })

  test('a case is found by what stands in its row or its order, and by its line', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(orders[0]), await lineOf(orders[1]))
    )
    const { key, payment } = await partnerFieldsOf(orders[1])
    const none = { category: null, step: null, decision: null, party: null, owner: null }
    for (const q of [key, payment, orders[1], '3']) {
      const { rows: found } = await listMatches(registerId, { ...none, q, before: null }, 'me')
      assert.deepEqual(
        found.map(({ orders: ours }) => ours.map(({ id }) => id)),
        [[orders[1]]],
        q
      )
    }
  })

  test('the database itself lets no row and no order into a case of another register', async ({
    assert,
  }) => {
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
      await rows(`DELETE FROM partner_register_case_${table} WHERE register_id = ?`, mine)
    const nowhere = (sql: string) => sql.replace(caseOf(mine), '0')
    for (const sql of [rowIn(other), orderIn(other), nowhere(rowIn(mine)), nowhere(orderIn(mine))])
      await assert.rejects(() => rows(sql), /is none of this register/)
    for (const sql of [rowIn(mine), orderIn(mine)]) await rows(sql)
    for (const table of ['case_rows', 'case_orders', 'cases'])
      await assert.rejects(
        () =>
          rows(
            `UPDATE partner_register_${table} SET register_id = ? WHERE register_id = ?`,
            other,
            mine
          ),
        /UPDATE of partner_register_\w+ is not allowed/
      )
  })

  test('the database itself keeps a case that a row or an order stands in, also one just put there', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const id = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    const deleteCases = () => rows('DELETE FROM partner_register_cases WHERE register_id = ?', id)
    await assert.rejects(deleteCases, /still has rows or orders/)
    await rows('DELETE FROM partner_register_case_orders WHERE register_id = ?', id)
    await assert.rejects(deleteCases, /still has rows or orders/)
    const [{ line, case_id: caseId }] = await rows(
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
    await rows('DELETE FROM partner_register_case_rows WHERE register_id = ?', id)
    await deleteCases()
  })

  test('a register that is taken back leaves its name, and the file may come again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const file = fileOf(await lineOf(orders[0]))
    const registerId = await matchedRegister(partner, file)
    const path = await registerPath(await findRegister(registerId))
    await access(path)
    const drop = async (version: number) =>
      new DropRegister().handle({ registerId, version, reason: 'Не тот месяц', ...ASKER })
    assert.equal((await refusalOf(drop(1)))!.refusalCode, 'STALE')
    await drop(await versionOf(registerId))
    await assert.rejects(() => access(path))
    assert.lengthOf(await matchesOf(registerId), 0)
    assert.isTrue(await isTaken(partner, file))
  })
})
