import { LookAgain } from '#reconciliation/actions/set_register_mapping'
import { findRegister } from '#reconciliation/store/find_register'
import { askFor, performRun, performRuns, runRow, type RunRow } from '#tests/support/runs'
import { transaction } from '#shared/transaction'
import { aStaffMember } from '#tests/support/browser'
import { aSale } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import {
  confirmRegister,
  decideMatches,
  fileOf,
  HEADER,
  partnerFieldsOf,
  lineOf,
  mapColumns,
  matchedRegister,
  readAndMatch,
  refusalOf,
  soldOrderOf,
  matchesOf,
  upload,
  versionOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { bookOfSheets } from '#tests/support/workbook_file'
import { test } from '@japa/runner'
import { setTimeout as sleep } from 'node:timers/promises'

const SOLD = '2026-11-01 10:00:00'

async function lookAt(registerId: number, sheet: string) {
  await new LookAgain().handle({ registerId, version: await versionOf(registerId), sheet })
  await mapColumns(registerId)
  await readAndMatch(registerId)
}

async function until(runId: number, isSo: (row: RunRow) => boolean) {
  while (!isSo(await runRow(runId))) await sleep(20)
}

const theCase = (registerId: number) =>
  one(
    `SELECT is_suggested AS "isSuggested", decision, note, sales_tenge::int AS tenge FROM partner_register_cases
      WHERE register_id = ?`,
    registerId
  )

test.group('A register that is looked at anew', () => {
  test('what was noted of a row of one sheet is not told of a row of another', async ({
    assert,
  }) => {
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

  test('a suggestion that was accepted on one sheet is not accepted on another', async ({
    assert,
  }) => {
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

  test('what was rejected as a guess and is sure by another column is rejected no more', async ({
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

  test('a mapping that is changed while it is read is read by, and matched', async ({ assert }) => {
    const { partner } = await aSale()
    const finance = await signedIn(await aStaffMember('finance'))
    const lines = Array.from({ length: 20_000 }, (_, i) => `o-${i};p-${i};;5000;Оплата`)
    const { registerId } = await upload(partner, fileOf(...lines))
    const setMapping = async () => {
      const { version, preview } = await findRegister(registerId)
      const { mapping } = preview.proposal
      await finance.put(`/registers/${registerId}/mapping`, { version, mapping })
    }
    await setMapping()
    const { id: runId } = await one('SELECT max(id) AS id FROM settlement_runs')
    const done = performRun(runId as number)
    await until(runId as number, ({ progress }) => progress !== null)
    await setMapping()
    await done
    await performRuns(partner)
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched')
  }).timeout(60_000)

  test('one that is read anew while it is matched is matched anew', async ({ assert }) => {
    const sale = await aSale()
    const { partner } = sale
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orderId)))
    const match = await askFor(partner, 'match_register', { registerId })
    const { matching } = await transaction(async (trx) => {
      await trx.rawQuery('LOCK TABLE event_grants IN ACCESS EXCLUSIVE MODE')
      const begun = performRun(match.runId)
      await until(match.runId, ({ state }) => state === 'running')
      await mapColumns(registerId)
      const read = await askFor(partner, 'read_register', { registerId })
      await performRun(read.runId)
      return { matching: begun }
    })
    await matching
    await performRuns(partner)
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched')
  }).timeout(60_000)
})
