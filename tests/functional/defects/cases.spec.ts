import { readFigures } from '#finance/cases/case_figures'
import type { CaseFilters } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { readPrecision } from '#finance/cases/read_precision'
import { readCase } from '#finance/cases/read_case'
import ChangeCase, { ChangeCases } from '#case_work/change_case'
import DropRegister from '#reconciliation/actions/drop_register'
import AddCaseNote from '#case_work/add_case_note'
import CheckPeriod from '#defects/cases/check_period'
import { checkLastDays } from '#defects/jobs/check_partners'
import type { Refusal } from '#shared/refusals'
import { aStaffMember } from '#tests/support/browser'
import { dataOf } from '#tests/support/answers'
import { lapseOrder, storefrontSells } from '#tests/support/circumstances'
import {
  NO_FILTERS,
  aCaseOfTwoParties,
  lateCase,
  latePayment,
  refreshDefects,
} from '#tests/support/cases'
import { aSale, book, order, paymentOf, sell, TESTER } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import {
  ASKER,
  confirmRegister,
  fileOf,
  lineOf,
  matchedRegister,
  midnight,
  versionOf,
} from '#tests/support/registers'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { StaffClient } from '#tests/support/staff_client'
import { performRuns } from '#tests/support/runs'
import { noMoreWait, untilSomebodyWaits } from '#tests/functional/races/support/gate_hold'
import { readAttention } from '#back_office/overview/attention'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const stateOf = (caseId: number) =>
  one(
    `SELECT state, owner_id, due_on::text, resolution, version FROM settlement_cases WHERE id = ?`,
    caseId
  )
const changesOf = async (caseId: number) => {
  const found = await rows(
    `SELECT change FROM journal WHERE name = 'case_changed' AND change ->> 'case_id' = ? ORDER BY id`,
    String(caseId)
  )
  return found.map(({ change }) => change)
}
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error as Refusal).refusalCode
  )
const aPerson = async () => {
  const { email } = await aStaffMember('finance')
  return { kind: 'staff', name: email, requestId: null } as const
}

test.group('Cases', () => {
  test('a check whose cases cannot be stored fails', async ({ assert, cleanup }) => {
    const { partner } = await lateCase()
    cleanup(async () => {
      await ownerRows('ALTER TABLE settlement_cases DROP CONSTRAINT no_cases')
    })
    await ownerRows(
      `ALTER TABLE settlement_cases ADD CONSTRAINT no_cases CHECK (partner_id <> ${partner.id}) NOT VALID`
    )
    await assert.rejects(() => refreshDefects(partner), /no_cases/)
  })

  test('a case is taken, given to the partner, resolved, and opened again with a reason', async ({
    assert,
  }) => {
    const { caseId } = await lateCase()
    const actor = await aPerson()
    const change = (version: number, more: object) =>
      new ChangeCase().handle({ caseId, version, change: { reason: null, ...more }, actor })
    await change(1, { state: 'in_work', owner: 'me' })
    await change(2, { state: 'with_partner', dueOn: '2026-12-01' })
    assert.equal(await refusalOf(change(3, { state: 'resolved' })), 'INVALID_PARAMETERS')
    await change(3, { state: 'resolved', reason: 'Деньги вернулись покупателю' })
    const resolved = await stateOf(caseId)
    assert.include(resolved, { state: 'resolved', resolution: 'Деньги вернулись покупателю' })
    assert.equal(
      await refusalOf(change(4, { state: 'dismissed', reason: 'Иначе' })),
      'STATUS_NOT_REACHABLE'
    )
    assert.equal(await refusalOf(change(4, { state: 'open' })), 'INVALID_PARAMETERS')
    await change(4, { state: 'open', owner: 'none', dueOn: null, reason: 'Не вернулись' })
    assert.deepEqual(await stateOf(caseId), {
      state: 'open',
      owner_id: null,
      due_on: null,
      resolution: null,
      version: 5,
    })
    const changeOf = (more: object) => ({ case_id: caseId, owner: actor.name, ...more })
    assert.deepEqual(await changesOf(caseId), [
      changeOf({ from: 'open', to: 'in_work', due_on: null, reason: null }),
      changeOf({ from: 'in_work', to: 'with_partner', due_on: '2026-12-01', reason: null }),
      changeOf({
        from: 'with_partner',
        to: 'resolved',
        due_on: '2026-12-01',
        reason: 'Деньги вернулись покупателю',
      }),
      changeOf({ from: 'resolved', to: 'open', owner: null, due_on: null, reason: 'Не вернулись' }),
    ])
  })

  test('an impossible change is refused, and a note makes no open form stale', async ({
    assert,
  }) => {
    const { caseId } = await lateCase()
    const actor = await aPerson()
    const change = (more: object, version = 1, id = caseId) =>
      refusalOf(
        new ChangeCase().handle({ caseId: id, version, change: { reason: null, ...more }, actor })
      )
    assert.equal(await change({ dueOn: '2026-02-30' }), 'INVALID_PARAMETERS')
    assert.equal(await change({ owner: 999_999 }), 'INVALID_PARAMETERS')
    const { email } = await aStaffMember('finance')
    const { id: gone } = await ownerOne(
      'UPDATE staff SET disabled_at = now() WHERE email = ? RETURNING id',
      email
    )
    assert.equal(await change({ owner: gone }), 'INVALID_PARAMETERS')
    assert.equal(await change({ owner: 'none' }, 7), 'STALE')
    assert.equal(await change({ owner: 'none' }, 1, 999_999_999), 'NO_SUCH')
    await new AddCaseNote().handle({ caseId, text: 'Позвонили партнёру', actor })
    const note = await one('SELECT by, text FROM settlement_case_notes WHERE case_id = ?', caseId)
    assert.deepEqual(note, { by: actor.name, text: 'Позвонили партнёру' })
    assert.isNull(await change({ owner: 'me' }))
    assert.equal(
      await refusalOf(new AddCaseNote().handle({ caseId: 999_999_999, text: 'Что', actor })),
      'NO_SUCH'
    )
  })

  test('an ended case that is given to somebody keeps its outcome', async ({ assert }) => {
    const { caseId } = await lateCase()
    const change = (version: number, asked: object) =>
      new ChangeCase().handle({
        caseId,
        version,
        change: { reason: null, ...asked },
        actor: TESTER,
      })
    await change(1, { state: 'resolved', reason: 'Деньги вернули' })
    await change(2, { dueOn: '2027-01-15' })
    assert.include(await stateOf(caseId), {
      state: 'resolved',
      due_on: '2027-01-15',
      resolution: 'Деньги вернули',
    })
  })

  test('of two people who take one case at once one gets it, the other is refused', async ({
    assert,
  }) => {
    const { caseId } = await lateCase()
    const people = await Promise.all([aPerson(), aPerson(), aPerson()])
    const outcomes = await Promise.all(
      people.map((actor) =>
        refusalOf(
          new ChangeCase().handle({
            caseId,
            version: 1,
            actor,
            change: { state: 'in_work', owner: 'me', reason: null },
          })
        )
      )
    )
    assert.sameMembers(outcomes, [null, 'STALE', 'STALE'])
    const winner = people[outcomes.indexOf(null)]
    const changes = await changesOf(caseId)
    assert.deepEqual(
      changes.map(({ owner }) => owner),
      [winner.name]
    )
  })

  test('a change of many cases skips those changed meanwhile and reports them', async ({
    assert,
  }) => {
    const found = [await lateCase(), await lateCase(), await lateCase()]
    const [first, second, third] = found.map(({ caseId }) => caseId)
    const actor = await aPerson()
    const keep = { reason: null, owner: 'me' } as const
    await new ChangeCase().handle({ caseId: second, version: 1, change: keep, actor })
    const cases = found.map(({ caseId }) => ({ caseId, version: 1 }))
    const change = { state: 'dismissed', reason: 'Проверка партнёра' } as const
    // Two with the same choice, the other way round: they wait for each other, and not crosswise.
    const [either, other] = await Promise.all([
      new ChangeCases().handle({ cases, change, actor }),
      new ChangeCases().handle({ cases: cases.toReversed(), change, actor }),
    ])
    assert.sameDeepMembers([either.changed, other.changed], [[first, third], []])
    assert.include(either.left, second)
    assert.include(await stateOf(second), { state: 'open' })
    assert.include(await stateOf(third), { state: 'dismissed' })
    const refused = refusalOf(
      new ChangeCases().handle({
        cases: [{ caseId: second, version: 2 }],
        change: { state: 'resolved', reason: null },
        actor,
      })
    )
    assert.equal(await refused, 'INVALID_PARAMETERS')
  })
})

test.group('Search for defects', () => {
  test('two searches at once find each case once and keep what people wrote', async ({
    assert,
  }) => {
    const { partner } = await latePayment()
    const find = () => checkLastDays(partner.id)
    await Promise.all([find(), find(), find()])
    const found = await rows(
      'SELECT id, gone_at FROM settlement_cases WHERE partner_id = ?',
      partner.id
    )
    assert.lengthOf(found, 1)
    assert.isNull(found[0].gone_at)
    const change = { state: 'dismissed', reason: 'Проверка' } as const
    await new ChangeCase().handle({ caseId: found[0].id, version: 1, change, actor: TESTER })
    await find()
    assert.include(await stateOf(found[0].id), { state: 'dismissed', resolution: 'Проверка' })
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_defects WHERE case_id = ?',
      found[0].id
    )
    assert.equal(n, 1)
  })

  test('more money at risk opens a settled case again, and the journal says why', async ({
    assert,
  }) => {
    const { partner, client, orderId, payment, caseId } = await lateCase()
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    await confirm(client, orderId, payment)
    await refreshDefects(partner)
    assert.include(await stateOf(caseId), { state: 'resolved' })
    await confirm(client, orderId, paymentOf(12_000))
    await refreshDefects(partner)
    assert.include(await stateOf(caseId), { state: 'open', resolution: null })
    const changes = await changesOf(caseId)
    assert.deepInclude(changes.at(-1), { from: 'resolved', to: 'open', reason: 'cases.new_money' })
    await refreshDefects(partner)
    assert.lengthOf(await changesOf(caseId), changes.length)
  })

  test('a search requested during another search is refused', async ({ assert }) => {
    const { partner } = await latePayment()
    const period = {
      from: new Date(Date.now() - 86_400_000),
      to: new Date(Date.now() + 86_400_000),
    }
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () =>
        refusalOf(new CheckPeriod().handle({ partnerId: partner.id, ...period }))
      )
    )
    assert.isTrue(outcomes.includes(null))
    assert.isTrue(outcomes.every((code) => code === null || code === 'CHECK_IS_RUNNING'))
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL',
      partner.id
    )
    assert.equal(n, 1)

    const another = await db.transaction()
    await another.rawQuery('SELECT pg_advisory_xact_lock(20251, ?)', [partner.id])
    const check = () => refusalOf(new CheckPeriod().handle({ partnerId: partner.id, ...period }))
    assert.equal(await check(), 'CHECK_IS_RUNNING')
    await another.commit()
    assert.isNull(await check())
  })
})

test.group('Cases in the back office', () => {
  test('a case shows its events in order of time and whether its seats are sold', async ({
    assert,
  }) => {
    const { caseId, client, event, orderId } = await lateCase()
    const before = await readCase(caseId)
    assert.deepEqual(
      before.orders.map(({ id, seats, resoldSeats }) => [id, seats, resoldSeats]),
      [[orderId, 1, 0]]
    )
    assert.sameMembers(
      before.trail.map(({ kind }) => kind),
      ['order_made', 'window_end', 'confirm']
    )
    const moments = before.trail.map(({ at }) => at.getTime())
    assert.deepEqual(moments, moments.toSorted())
    assert.equal(before.chargedTenge, 12_000)
    await sell(client, event.id, ['seat-2-1'])
    const after = await readCase(caseId)
    assert.equal(after.orders[0].resoldSeats, 1)
  })

  test('seats sold at the platform’s box office count as sold', async ({ assert }) => {
    const { caseId, event } = await lateCase()
    await storefrontSells(event, 'seat-2-1')
    const { orders } = await readCase(caseId)
    assert.equal(orders[0].resoldSeats, 1)
  })

  test('a payment of an unknown order has a page of its own', async ({ assert }) => {
    const { client, partner } = await aSale()
    const sent = `TIX-2026-${Date.now() % 1_000_000_000}`
    await confirm(client, sent, paymentOf(7_000))
    await refreshDefects(partner)
    const { id } = await one('SELECT id FROM settlement_cases WHERE partner_id = ?', partner.id)
    const { orders, trail, defects } = await readCase(id)
    assert.deepEqual(orders, [])
    assert.deepEqual(
      trail.map(({ kind, orderId }) => [kind, orderId]),
      [['confirm', sent]]
    )
    assert.deepEqual(
      defects.map(({ code }) => code),
      ['CONFIRM_UNKNOWN_ORDER']
    )
  })

  test('finance changes cases, auditors read them, other roles do neither', async ({ assert }) => {
    const { caseId } = await lateCase()
    const statusOf = async (client: StaffClient, method: string, path: string, body?: object) => {
      const { status } = await client.send(method, path, body)
      return status
    }
    const [finance, auditor, support] = await Promise.all([
      StaffClient.signedIn('finance'),
      StaffClient.signedIn('auditor'),
      StaffClient.signedIn('support'),
    ])
    const page = `/back-office/cases/${caseId}`
    const take = { version: 1, state: 'in_work', owner: 'me' }
    assert.equal(await statusOf(support, 'GET', '/back-office/cases'), 403)
    assert.equal(await statusOf(auditor, 'GET', page), 200)
    assert.equal(await statusOf(auditor, 'PUT', page, take), 403)
    assert.equal(await statusOf(auditor, 'POST', `${page}/notes`, { text: 'Что?' }), 403)
    const bulk = { cases: [{ caseId, version: 1 }], owner: 'me' }
    assert.equal(await statusOf(auditor, 'PUT', '/back-office/cases', bulk), 403)
    assert.include(await stateOf(caseId), { state: 'open', version: 1 })
    await statusOf(finance, 'PUT', page, take)
    assert.include(await stateOf(caseId), { state: 'in_work', version: 2 })
    assert.equal(await statusOf(finance, 'GET', '/back-office/cases/999999999'), 404)
  })

  test('the queue is filtered by every filter and paged', async ({ assert }) => {
    const { caseId, partner } = await lateCase()
    const finance = await StaffClient.signedIn('finance')
    const shown = async (query: string) => {
      const response = await finance.get(`/back-office/cases.csv?partner=${partner.code}&${query}`)
      const text = await response.text()
      const namesAndHeadings = 2
      return text.trim().split(/\r?\n/).length - namesAndHeadings
    }
    const found = [
      '',
      'code=CONFIRM_ORDER_EXPIRED',
      'severity=HIGH',
      'party=BUYER',
      'state=open',
      'owner=none',
      'from=2020-01-01',
      'to=2100-01-01',
      'state=any',
      'before=nonsense',
    ]
    for (const query of found) assert.equal(await shown(query), 1, query)
    const missed = [
      'code=PAID_IN_FUTURE',
      'severity=BLOCKER',
      'party=PLATFORM',
      'state=resolved',
      'owner=me',
      'from=2100-01-01',
      'to=2020-01-01',
      'state=gone',
    ]
    for (const query of missed) assert.equal(await shown(query), 0, query)
    const countFrom = async (before: string) => {
      const filters = { ...NO_FILTERS, partner: partner.code, before }
      const { rows: page } = await listCases(filters, 'finance@platform.test')
      return page.length
    }
    assert.equal(await countFrom('2100-01-01T00:00:00.000Z~1'), 1)
    assert.equal(await countFrom('2020-01-01T00:00:00.000Z~1'), 0)
    const change = { state: 'dismissed', reason: 'Проверка' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    assert.equal(await shown(''), 0)
    assert.equal(await shown('state=dismissed'), 1)
  })

  test('cases of the first and of the last day that are asked for are listed', async ({
    assert,
  }) => {
    const { caseId, partner } = await lateCase()
    // The last moment of 30 November at the venues.
    const at = '2026-11-30T18:59:59.999Z'
    await ownerRows('UPDATE settlement_cases SET occurred_at = ? WHERE id = ?', at, caseId)
    const countWithin = async (from: string, to: string) => {
      const filters = { ...NO_FILTERS, partner: partner.code, from, to }
      const { rows: page } = await listCases(filters, 'finance@platform.test')
      return page.length
    }
    assert.equal(await countWithin('2026-11-30', '2026-11-30'), 1)
    assert.equal(await countWithin('2026-11-29', '2026-11-29'), 0)
    assert.equal(await countWithin('2026-12-01', '2026-12-01'), 0)
  })

  test('the figures above the list count what its filters leave', async ({ assert }) => {
    const { caseId, partner } = await lateCase()
    await aCaseOfTwoParties()
    const figuresOf = (changes: Partial<CaseFilters>) =>
      readFigures({ ...NO_FILTERS, ...changes }, 'finance@platform.test')
    const { code } = partner
    const ofOneCase = {
      cases: 1,
      exposure: { buyer: 12_000, platform: 0, partner: 0 },
      partners: 1,
    }
    const ofPartner = await figuresOf({ partner: code })
    assert.deepInclude(ofPartner, ofOneCase)
    assert.deepEqual(
      ofPartner.foremost.map((figures) => figures.code),
      [code]
    )
    assert.deepInclude(await figuresOf({ q: String(caseId) }), ofOneCase)
    const resolved = await figuresOf({ partner: code, state: 'resolved' })
    assert.deepInclude(resolved, { cases: 0, partners: 0, foremost: [] })
    const unfiltered = await figuresOf({})
    assert.isAbove(unfiltered.cases, 1)
  })

  test('a defect that is no longer found is gone from a case that stays', async ({ assert }) => {
    const { partner, caseId: id, registerId } = await aCaseOfTwoParties()
    const codes = async () => {
      const found = await rows(
        'SELECT code FROM settlement_defects WHERE case_id = ? AND gone_at IS NULL ORDER BY code',
        id
      )
      return found.map(({ code }) => code as string)
    }
    const both = await codes()
    assert.isAbove(both.length, 1)
    const version = await versionOf(registerId)
    await new DropRegister().handle({ registerId, version, reason: 'Не тот', ...ASKER })
    await refreshDefects(partner)
    const left = await codes()
    assert.isNotEmpty(left)
    assert.isBelow(left.length, both.length)
    const { is_gone: isGone } = await one(
      'SELECT gone_at IS NOT NULL AS is_gone FROM settlement_cases WHERE id = ?',
      id
    )
    assert.isFalse(isGone)
  })

  test('a defect that comes back was found when it came back, one that stays long ago', async ({
    assert,
  }) => {
    const { partner, caseId } = await lateCase()
    const areNew = async () => {
      const { new: found } = await one(
        `SELECT bool_and(found_at > now() - interval '1 hour') AS new FROM settlement_defects WHERE case_id = ?`,
        caseId
      )
      return found as boolean
    }
    const change = (sql: string) =>
      ownerRows(`UPDATE settlement_defects SET ${sql} WHERE case_id = ?`, caseId)
    await change(`found_at = found_at - interval '1 day'`)
    await refreshDefects(partner)
    assert.isFalse(await areNew())
    await change('gone_at = now()')
    await refreshDefects(partner)
    assert.isTrue(await areNew())
  })

  test('a check goes on only when its last cases are stored', async ({ assert }) => {
    const { caseId, partner } = await lateCase()
    const holder = await db.transaction()
    await holder.rawQuery('SELECT FROM settlement_cases WHERE id = ? FOR UPDATE', [caseId])
    const check = refreshDefects(partner)
    try {
      await untilSomebodyWaits()
      // Cases that the check has not stored are gone at its end: the next step would wait for this one, too.
      await noMoreWait(1)
    } finally {
      await holder.commit()
      await check
    }
    const found = await one('SELECT gone_at FROM settlement_cases WHERE id = ?', caseId)
    assert.isNull(found.gone_at)
  })

  test('a case with money is listed as needing attention until it is ended', async ({ assert }) => {
    const attentionCounts = async () => {
      const attention = await readAttention()
      const countOf = (name: string) => attention.find(({ kind }) => kind === name)?.count ?? 0
      return {
        unowned: countOf('cases_unowned'),
        owned: countOf('cases_owned'),
        overdue: countOf('cases_overdue'),
      }
    }
    const before = await attentionCounts()
    const { caseId } = await lateCase()
    assert.deepEqual(await attentionCounts(), { ...before, unowned: before.unowned + 1 })
    const take = { state: 'in_work', owner: 'me', reason: null } as const
    await new ChangeCase().handle({ caseId, version: 1, change: take, actor: await aPerson() })
    assert.deepEqual(await attentionCounts(), { ...before, owned: before.owned + 1 })
    await ownerRows(`UPDATE settlement_cases SET due_on = current_date - 2 WHERE id = ?`, caseId)
    assert.deepEqual(await attentionCounts(), { ...before, overdue: before.overdue + 1 })
    const change = { state: 'dismissed', reason: 'Проверка' } as const
    await new ChangeCase().handle({ caseId, version: 2, change, actor: TESTER })
    assert.deepEqual(await attentionCounts(), before)
  })

  test('dismissals as false count against a rule until the case is opened again', async ({
    assert,
  }) => {
    const { caseId, partner } = await lateCase()
    assert.deepEqual(await readPrecision(partner.id), [])
    const dismiss = { state: 'dismissed', reason: 'Проверка', isFalsePositive: true } as const
    await new ChangeCase().handle({ caseId, version: 1, change: dismiss, actor: TESTER })
    assert.deepEqual(await readPrecision(partner.id), [
      { code: 'CONFIRM_ORDER_EXPIRED', judged: 1, falsePositives: 1 },
    ])
    const reopen = { state: 'open', reason: 'Всё-таки' } as const
    await new ChangeCase().handle({ caseId, version: 2, change: reopen, actor: TESTER })
    assert.deepEqual(await readPrecision(partner.id), [])
    const { is_false_positive: isFalse } = await one(
      'SELECT is_false_positive FROM settlement_cases WHERE id = ?',
      caseId
    )
    assert.isFalse(isFalse)
  })

  test('a month is searched again from the account', async ({ assert }) => {
    const { partner } = await latePayment()
    const finance = await StaffClient.signedIn('finance')
    const here = new Date(Date.now() + 5 * 3_600_000).toISOString()
    await finance.send('POST', `/back-office/settlement/${partner.code}/checks`, {
      month: here.slice(0, 7),
    })
    await performRuns(partner)
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_cases WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 1)
    const { partner: other } = await aSale()
    const none = await finance.send('POST', `/back-office/settlement/${other.code}/checks`, {
      month: '2026-13',
    })
    assert.equal(none.status, 302)
  })

  test('evidence that appears, disappears or was known opens no settled case', async ({
    assert,
  }) => {
    const { partner, orderId, payment, caseId } = await lateCase()
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const line = { payment: payment.payment_info.external_payment_id }
    const returned = await lineOf(orderId, { ...line, tenge: '-12000' })
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orderId, line), returned))
    const tengeOf = async () => {
      await refreshDefects(partner)
      const found = await one(
        'SELECT buyer_tenge::int AS n FROM settlement_cases WHERE id = ?',
        caseId
      )
      return found.n as number
    }
    await confirmRegister(registerId)
    assert.equal(await tengeOf(), 0)
    const version = await versionOf(registerId)
    await new DropRegister().handle({ registerId, version, reason: 'Не тот', ...ASKER })
    assert.equal(await tengeOf(), 12_000)
    assert.include(await stateOf(caseId), { state: 'resolved' })
  })

  test('an old confirm with the same payment counts whichever days are searched', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const payments = [paymentOf(12_000), paymentOf(12_000)]
    for (const payment of payments) await confirm(client, 'TIX-2026-999999', payment)
    await moveInTime(partner, '-4 days')
    const booking = dataOf(await book(client, event.id, ['seat-2-1']))
    const { order_id: orderId } = dataOf(await order(client, booking.booking_id))
    await lapseOrder(orderId)
    await confirm(client, orderId, payments[0])
    const tengeOf = () =>
      rows(
        'SELECT buyer_tenge::int AS tenge FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL',
        partner.id
      )
    await new CheckPeriod().handle({
      partnerId: partner.id,
      from: midnight(-20),
      to: midnight(2),
    })
    assert.deepEqual(await tengeOf(), [{ tenge: 24_000 }])
    await checkLastDays(partner.id)
    assert.deepEqual(await tengeOf(), [{ tenge: 24_000 }])
  })
})
