import db from '@adonisjs/lucid/services/db'
import ChooseRegisterSheet from '#reconciliation/actions/choose_register_sheet'
import { findRegister } from '#reconciliation/store/find_register'
import type { RunContext } from '#runs/run_body'
import matchRegister from '#worker/run_kinds/match_register'
import readRegister from '#worker/run_kinds/read_register'
import { aSale, TESTER } from '#tests/support/fixtures'
import {
  categoriesOf,
  confirmRegister,
  context,
  decideMatches,
  fileOf,
  HEADER,
  lineOf,
  mapColumns,
  matchAgain,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  setUpAndRead,
  soldOrderOf,
  upload,
  versionOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { askFor, performRun, performRuns, untilRun } from '#tests/support/runs'
import { bookOfSheets } from '#tests/support/workbook_file'
import { test } from '@japa/runner'

const SOLD = '2026-11-01 10:00:00'

async function lookAt(registerId: number, sheet: string) {
  await new ChooseRegisterSheet().handle({
    registerId,
    version: await versionOf(registerId),
    sheet,
  })
  await mapColumns(registerId)
  await readAndMatch(registerId)
}

const theCase = (registerId: number) =>
  one(
    `SELECT is_suggested AS "isSuggested", decision, note, sales_tenge::int AS tenge FROM partner_register_cases
      WHERE register_id = ?`,
    registerId
  )

test.group('Matching again', () => {
  test('decisions, due dates and notes are kept', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const known = await partnerFieldsOf(orders[0])
    const damaged = await lineOf(orders[0], {
      key: `  ${known.key.toUpperCase()}`,
      payment: '',
    })
    const registerId = await matchedRegister(partner, fileOf(damaged))
    const [firstMatch] = await matchesOf(registerId)
    assert.include(firstMatch, 'SUGGESTED_BY_ID')
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

  test('a decision about money that is read otherwise afterwards is asked for again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const { key } = await partnerFieldsOf(orders[0])
    const damaged = await lineOf(orders[0], { key: `  ${key.toUpperCase()}`, payment: '' })
    const registerId = await matchedRegister(partner, fileOf(damaged))
    await decideMatches(registerId, { decision: 'accepted' })
    await setUpAndRead(registerId, { unit: 'tiyn' })
    const { tenge, decision, isSuggested } = await theCase(registerId)
    assert.deepEqual([tenge, decision, isSuggested], [120, null, true])
  })

  test('a note on a row of one sheet does not appear on a row of another', async ({ assert }) => {
    const { partner } = await aSale()
    const file = bookOfSheets({
      Карты: [HEADER, `o-a;p-a;${SOLD};5000;Оплата`],
      Кошельки: [HEADER, `o-b;p-b;${SOLD};7000;Оплата`],
    })
    const { registerId } = await upload(partner, file)
    await mapColumns(registerId)
    await readAndMatch(registerId)
    await decideMatches(registerId, { note: 'Вернули 5000 платёжным поручением 17' })
    await lookAt(registerId, 'Кошельки')
    const { note, tenge } = await theCase(registerId)
    assert.deepEqual({ note, tenge }, { note: null, tenge: 7_000 })
    await lookAt(registerId, 'Карты')
    const { tenge: before } = await theCase(registerId)
    assert.equal(before, 5_000)
  })

  test('a suggestion accepted on one sheet is not accepted on another', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const first = await lineOf(orderId, { key: `'${key.toUpperCase()}`, payment: '' })
    const second = await lineOf(orderId, { key: key.toUpperCase(), payment: '', tenge: '1' })
    const file = bookOfSheets({ Первый: [HEADER, first], Второй: [HEADER, second] })
    const { registerId } = await upload(sale.partner, file)
    await mapColumns(registerId)
    await readAndMatch(registerId)
    await decideMatches(registerId, { decision: 'accepted' })
    await lookAt(registerId, 'Второй')
    const { isSuggested, decision } = await theCase(registerId)
    assert.deepEqual({ isSuggested, decision }, { isSuggested: true, decision: null })
    const refused = await refusalOf(confirmRegister(registerId))
    assert.equal(refused?.refusalCode, 'SUGGESTIONS_UNDECIDED')
  })

  test('a rejected suggestion that another column makes exact loses its rejection and keeps its note', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key, payment } = await partnerFieldsOf(orderId)
    const damaged = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const file = [`${HEADER};Наш ключ;Наш платёж`, `${damaged};${key};${payment}`].join('\r\n')
    const { registerId } = await upload(sale.partner, file)
    const mapping = { partnerOrderId: 0, paidAt: 2, amount: 3, kind: 4 }
    await mapColumns(registerId, mapping)
    await readAndMatch(registerId)
    await decideMatches(registerId, { decision: 'rejected', note: 'Не тот заказ' })
    await mapColumns(registerId, { ...mapping, partnerOrderId: 5, paymentId: 6 })
    await readAndMatch(registerId)
    assert.deepEqual(await matchesOf(registerId), [`MATCHED EXACT [2] ${orderId}`])
    const { decision, note } = await theCase(registerId)
    assert.deepEqual({ decision, note }, { decision: null, note: 'Не тот заказ' })
  })

  test('a register that is read again while it is matched is matched again', async ({ assert }) => {
    const sale = await aSale()
    const { partner } = sale
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orderId)))
    const match = await askFor(partner, 'match_register', { registerId })
    const { matching } = await db.connection('owner').transaction(async (trx) => {
      await trx.rawQuery('LOCK TABLE event_grants IN ACCESS EXCLUSIVE MODE')
      const begun = performRun(match.runId)
      await untilRun(match.runId, ({ state }) => state === 'running')
      await mapColumns(registerId)
      const read = await askFor(partner, 'read_register', { registerId })
      await performRun(read.runId)
      return { matching: begun }
    })
    await matching
    await performRuns(partner)
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched')
  })

  test('aborted reading or matching leaves no rows and no matches', async ({ assert }) => {
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

  test('of two simultaneous decisions about one match the second is refused as stale', async ({
    assert,
  }) => {
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
})
