import { readCase } from '#finance/cases/read_case'
import { aStaffMember } from '#tests/support/browser'
import {
  aCaseOfTwoParties,
  aPartlyReturnedCase,
  lateCase,
  refreshDefects,
} from '#tests/support/cases'
import type { TestPartner } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { ownerRows, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { dataIn } from '#tests/support/settlement_workbook'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000

const forget = (caseId: number) =>
  ownerRows('UPDATE settlement_cases SET balance = NULL WHERE id = ?', caseId)

test.group('How the exposure of a case comes about', (group) => {
  const scratch = scratchDirectory(group)

  const defectRows = async ({ code }: TestPartner) => {
    const scope = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) }
    const path = scratch.at('book.xlsx')
    await writeSettlementWorkbook({ partnerCode: code, scope, path, language: 'ru' })
    return dataIn(path, 'defects')
  }

  test('is stored at the check: both equations, and payment by payment what each source shows', async ({
    assert,
  }) => {
    const { caseId, partner, key } = await aCaseOfTwoParties()
    const { kase, balance } = await readCase(caseId)
    if (!balance) return assert.fail('no balance is stored')
    const { buyerTenge, platformTenge, partnerTenge } = balance
    assert.deepEqual([buyerTenge, platformTenge, partnerTenge], [12_000, 12_000, 0])
    assert.deepEqual(kase.exposure, {
      buyer: buyerTenge,
      platform: platformTenge,
      partner: partnerTenge,
    })
    assert.deepEqual(
      [balance.chargedTenge, balance.returnedTenge, balance.boughtTenge, balance.openTenge],
      [24_000, 0, 12_000, 12_000]
    )
    const [source] = await rows(
      `SELECT s.id::text AS id, s.name FROM register_sources s JOIN partner_registers r ON r.source_id = s.id
        WHERE r.partner_id = ?`,
      partner.id
    )
    assert.deepEqual(balance.acknowledged, [
      { source: source.id, acknowledgedTenge: 0, differenceTenge: -12_000 },
    ])
    assert.equal(balance.sourceNames[source.id], source.name)
    const [purchase] = balance.purchases
    assert.deepEqual(purchase.orders, [{ id: key, totalTenge: 12_000, validTenge: 12_000 }])
    const figures = purchase.payments.map(({ chargedTenge, shown }) => [
      chargedTenge,
      shown.map((one) => one.source),
    ])
    assert.deepEqual(figures, [
      [12_000, ['confirms']],
      [12_000, ['confirms']],
    ])
  })

  test('names the rows of registers, also after a later check', async ({ assert }) => {
    const { caseId, registerId } = await aPartlyReturnedCase()
    const { balance, kase } = await readCase(caseId)
    assert.deepEqual([balance!.buyerTenge, kase.exposure.buyer], [8_000, 8_000])
    assert.deepEqual([balance!.chargedTenge, balance!.returnedTenge], [12_000, 4_000])
    const shown = balance!.purchases[0].payments.flatMap((one) => one.shown)
    const lines = shown.flatMap((one) => one.lines)
    const stored = await rows(
      'SELECT register_id AS "registerId", line FROM partner_register_rows WHERE register_id = ? ORDER BY line',
      registerId
    )
    assert.deepEqual(lines, stored)
  })

  test('is shown to whoever may read cases; a case that was checked before has none until the next check', async ({
    assert,
  }) => {
    const { caseId, partner } = await lateCase()
    const auditor = await signedIn(await aStaffMember('auditor'))
    const page = () => auditor.get(`/cases/${caseId}`)
    await forget(caseId)
    const before = await page()
    assert.isNull(before.props.balance)
    await refreshDefects(partner)
    const after = await page()
    assert.include(after.props.balance, { chargedTenge: 12_000, buyerTenge: 12_000 })
  })

  test('in the workbook stands in the row of the gravest defect, also of a case that had none: writing checks it again', async ({
    assert,
  }) => {
    const { caseId, partner } = await aCaseOfTwoParties()
    const figuresOf = async () => {
      const found = await defectRows(partner)
      return found.map((row) =>
        [row.caseCharged, row.caseReturned, row.caseBought].map((cell) => cell && Number(cell))
      )
    }
    const empty = [null, null, null]
    const [first, ...others] = await figuresOf()
    assert.isNotEmpty(others)
    const expected = [[24_000, 0, 12_000], ...others.map(() => empty)]
    assert.deepEqual([first, ...others], expected)
    await forget(caseId)
    assert.deepEqual(await figuresOf(), expected)
  })
})
