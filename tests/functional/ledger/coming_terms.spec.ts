import { ApproveRequest } from '#ledger/actions/decide_request'
import WithdrawTerms from '#ledger/actions/withdraw_terms'
import { findTermsAt, FIRST_TERMS_FROM } from '#ledger/terms'
import type { Refusal } from '#shared/refusals'
import { aPartner, aPerson, aSale, sell, type TestPartner } from '#tests/support/fixtures'
import { one, rows, ownerRows } from '#tests/support/rows'
import { askForTerms, movementsOf, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const year = new Date().getUTCFullYear() + 1
const midnight = (day: string) => new Date(`${year}-${day}T00:00:00+05:00`)
const withdraw = (partner: TestPartner, termsId: number) =>
  new WithdrawTerms().handle({
    partnerCode: partner.code,
    termsId,
    reason: 'Договор не подписан',
    actor: aPerson(),
  })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const termsOf = async ({ id }: TestPartner) => {
  const found = await rows(
    'SELECT valid_from, commission_bp FROM settlement_terms WHERE partner_id = ? ORDER BY valid_from',
    id
  )
  return found.map(({ valid_from: from, commission_bp: bp }) => [(from as Date).getTime(), bp])
}
const FIRST = FIRST_TERMS_FROM.getTime()

test.group('Terms before their first day', () => {
  test('are withdrawn, and those before them go on', async ({ assert }) => {
    const partner = await aPartner()
    await setTerms(partner)
    const { termsId } = await setTerms(partner, { validFrom: midnight('03-01'), commissionBp: 900 })
    await withdraw(partner, termsId!)
    assert.deepEqual(await termsOf(partner), [[FIRST, 750]])
    const entry = await one(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'settlement_terms_withdrawn'`,
      partner.id
    )
    assert.equal(entry.change.commissionBp, 900)
    assert.equal(entry.change.reason, 'Договор не подписан')
    assert.equal(await codeOf(withdraw(partner, termsId!)), 'NO_SUCH')
  })

  test('are in force from the first moment of their day', async ({ assert }) => {
    const partner = await aPartner()
    await setTerms(partner)
    const validFrom = midnight('03-01')
    const { termsId } = await setTerms(partner, { validFrom, commissionBp: 900 })
    const idAt = async (at: Date) => {
      const { id } = await findTermsAt.one({ partnerId: partner.id, at })
      return id
    }
    assert.equal(await idAt(validFrom), termsId)
    assert.notEqual(await idAt(new Date(validFrom.getTime() - 1)), termsId)
  })

  test('charge the sales of their days, and not the terms before them', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner, { vatBp: 0 })
    const { termsId } = await setTerms(partner, {
      validFrom: midnight('03-01'),
      commissionBp: 900,
      vatBp: 0,
    })
    await sell(client, event.id, ['seat-2-1'])
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE settlement_terms SET valid_from = date_trunc('day', now()) - interval '1 day' FROM free WHERE id = ?`,
      termsId
    )
    await sell(client, event.id, ['seat-2-2'])
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.filter(({ kind }) => kind === 'commission').map(({ tenge }) => tenge),
      ['-900', '-1080']
    )
  })

  test('are set before their first day, and withdrawn up to its last minute', async ({
    assert,
  }) => {
    const partner = await aPartner()
    await setTerms(partner)
    const past = new Date('2026-01-01T00:00:00+05:00')
    assert.equal(await codeOf(setTerms(partner, { validFrom: past })), 'INVALID_PARAMETERS')

    const { termsId } = await setTerms(partner, { validFrom: midnight('03-01') })
    const beginIn = (seconds: number) =>
      ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE settlement_terms SET valid_from = clock_timestamp() + make_interval(secs => ?::float8) FROM free WHERE id = ?`,
        seconds,
        termsId
      )
    await beginIn(50)
    assert.equal(await codeOf(withdraw(partner, termsId!)), 'TERMS_HAVE_BEGUN')
    await beginIn(120)
    assert.equal(await codeOf(withdraw(partner, termsId!)), 'no refusal')
  })

  test('are replaced, also on the same day', async ({ assert }) => {
    const partner = await aPartner()
    await setTerms(partner)
    const validFrom = midnight('03-01')
    const { termsId } = await setTerms(partner, { validFrom, commissionBp: 900 })
    assert.equal(await codeOf(setTerms(partner, { validFrom })), 'ALREADY_EXISTS')
    const next = await setTerms(partner, { validFrom, commissionBp: 800, replacesId: termsId })
    assert.deepEqual(await termsOf(partner), [
      [FIRST, 750],
      [validFrom.getTime(), 800],
    ])
    const moved = midnight('04-01')
    await setTerms(partner, { validFrom: moved, commissionBp: 700, replacesId: next.termsId })
    assert.deepEqual(await termsOf(partner), [
      [FIRST, 750],
      [moved.getTime(), 700],
    ])
  })

  test('cannot be withdrawn or replaced once they have begun, nor by another partner', async ({
    assert,
  }) => {
    const [partner, other] = [await aPartner(), await aPartner()]
    const { termsId: begun } = await setTerms(partner)
    assert.equal(await codeOf(withdraw(partner, begun!)), 'TERMS_HAVE_BEGUN')
    const validFrom = midnight('03-01')
    const replacing = setTerms(partner, { validFrom, replacesId: begun })
    assert.equal(await codeOf(replacing), 'TERMS_HAVE_BEGUN')
    const { termsId } = await setTerms(partner, { validFrom })
    assert.equal(await codeOf(withdraw(other, termsId!)), 'NO_SUCH')
    assert.lengthOf(await termsOf(partner), 2)
  })

  test('are not approved once their first day has begun', async ({ assert }) => {
    const partner = await aPartner()
    await setTerms(partner)
    const asked = { validFrom: midnight('03-01'), commissionBp: 6_000, isConfirmed: true }
    const { requestId } = await askForTerms(partner, asked)
    const begun = new Date(`${year - 2}-03-01T00:00:00+05:00`).toISOString()
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE settlement_requests SET input = jsonb_set(input, '{validFrom}', to_jsonb(?::text)) FROM free WHERE id = ?`,
      begun,
      requestId
    )
    const approval = new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    assert.equal(await codeOf(approval), 'INVALID_PARAMETERS')
    assert.deepEqual(await termsOf(partner), [[FIRST, 750]])
  })

  test('that a second person has approved are withdrawn and replaced by two people', async ({
    assert,
  }) => {
    const partner = await aPartner()
    await setTerms(partner)
    const validFrom = midnight('03-01')
    const high = { validFrom, commissionBp: 6_000, isConfirmed: true }
    const { termsId: id } = await setTerms(partner, high)
    const replacing = await askForTerms(partner, { validFrom, replacesId: id })
    assert.isNull(replacing.termsId)
    const { isWithdrawn, requestId } = await withdraw(partner, id)
    assert.isFalse(isWithdrawn)
    assert.lengthOf(await termsOf(partner), 2)
    await new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    assert.deepEqual(await termsOf(partner), [[FIRST, 750]])
  })
})
