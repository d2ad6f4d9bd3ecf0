import ChangeCase from '#case_work/change_case'
import { readPreview } from '#finance/settlement/read_account'
import { aCaseOfTwoParties } from '#tests/support/cases'
import { TESTER } from '#tests/support/fixtures'
import { aClosableMonth } from '#tests/support/mails'
import { ownerRows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

const moveCases = (partnerId: number, by: string) =>
  ownerRows(
    'UPDATE settlement_cases SET occurred_at = occurred_at + ?::interval WHERE partner_id = ?',
    by,
    partnerId
  )
const NOTHING = { cases: 0, exposure: { buyer: 0, platform: 0, partner: 0 } }

test.group('Closing a period', () => {
  test('shows how many open cases the period has, and how much of whose money is at risk', async ({
    assert,
  }) => {
    const { partner, caseId } = await aCaseOfTwoParties()
    await moveInTime(partner, '-45 days')
    const ofNow = await readPreview(partner.id)
    assert.deepEqual(ofNow!.openCases, NOTHING)

    await moveCases(partner.id, '-45 days')
    const found = await readPreview(partner.id)
    assert.isTrue(found!.isOver)
    assert.deepEqual(found!.openCases, {
      cases: 1,
      exposure: { buyer: 12_000, platform: 12_000, partner: 0 },
    })

    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const after = await readPreview(partner.id)
    assert.deepEqual(after!.openCases, NOTHING)
  })

  test('counts no case of another partner', async ({ assert }) => {
    const { partner: other } = await aCaseOfTwoParties()
    await moveCases(other.id, '-45 days')
    const { partner } = await aClosableMonth()
    const found = await readPreview(partner.id)
    assert.deepEqual(found!.openCases, NOTHING)
  })
})
