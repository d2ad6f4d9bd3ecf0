import AddCaseNote from '#case_work/add_case_note'
import ChangeCase from '#case_work/change_case'
import { readCase } from '#finance/cases/read_case'
import DropRegister from '#reconciliation/actions/drop_register'
import ChangeRegisterSource from '#reconciliation/actions/change_register_source'
import SetRegisterSource from '#reconciliation/actions/set_register_source'
import { findRegister } from '#reconciliation/store/find_register'
import { findSource, listSources } from '#reconciliation/store/register_source'
import { aStaffMember } from '#tests/support/browser'
import { refreshDefects } from '#tests/support/cases'
import { aSale, TESTER } from '#tests/support/fixtures'
import { defectsOf, noonOn } from '#tests/support/register_defects'
import {
  ASKER,
  HEADER,
  confirmRegister,
  confirmedRegister,
  fileOf,
  lineOf,
  mapColumns,
  matchedRegister,
  matchesOf,
  midnight,
  partnerFieldsOf,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  setUpAndRead,
  setUpSource,
  stateOfRegister,
  upload,
  versionOf,
} from '#tests/support/registers'
import { signedIn } from '#tests/support/page_client'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { localDay } from '#shared/days'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const days = (first: number, last: number) => ({ from: midnight(first), to: midnight(last + 1) })
const dayOf = (day: number) => localDay(midnight(day))
const rowOn = (day: number, id: string, tenge = 7_000) =>
  `o-${id};p-${id};${noonOn(day)};${tenge};Оплата`
const sourceName = 'Магазин, продажи'

const entriesOf = async ({ id }: { id: number }, name: string) => {
  const found = await rows(
    'SELECT change FROM journal WHERE partner_id = ? AND name = ? ORDER BY id',
    id,
    name
  )
  return found.map(({ change }) => change as Record<string, unknown>)
}

/** Uploads a file of the partner without naming its source; returns the name of the one that it gets. */
const sourcesOf =
  (partner: Parameters<typeof upload>[0]) => async (content: string, fileName: string) => {
    const { registerId } = await upload(partner, content, { fileName, sourceName: undefined })
    const { sourceName: name } = await findRegister(registerId)
    return name
  }

test.group('The source of a register', () => {
  test('is the one with the same headers, in any order, or a new one named after the file', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const sourceOf = sourcesOf(partner)
    const columns = (...names: string[]) => `${names.join(';')}\n`
    const sales = columns('Номер заказа', 'Сумма')
    assert.equal(await sourceOf(`${sales}o-1;1000`, 'продажи.csv'), 'продажи')
    assert.equal(await sourceOf(`${sales}o-2;1000`, 'продажи за декабрь.csv'), 'продажи')
    const turned = columns('СУММА', 'номер заказа')
    assert.equal(await sourceOf(`${turned}1000;o-3`, 'x.csv'), 'продажи')
    const refunds = columns('Номер заказа', 'Сумма', 'Комиссия')
    assert.equal(await sourceOf(`${refunds}o-4;1000;0`, 'ПРОДАЖИ.csv'), 'ПРОДАЖИ (2)')
    assert.lengthOf(await listSources(partner.id), 2)
  })

  test('is never that of an unrelated file: without headers, or with sums of another currency', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const sourceOf = sourcesOf(partner)
    assert.equal(await sourceOf('o-1;24.11.2026;12000\no-2;24.11.2026;7000', 'касса.csv'), 'касса')
    assert.equal(await sourceOf('7000;a@b.kz;p-1;сайт\n500;c@d.kz;p-2;сайт', 'сайт.csv'), 'сайт')
    assert.equal(await sourceOf('Номер заказа;Сумма, ₸\no-3;7000', 'тенге.csv'), 'тенге')
    assert.equal(await sourceOf('Номер заказа;Сумма, $\no-4;15', 'доллары.csv'), 'доллары')
    assert.equal(await sourceOf('Сумма, ₸;Номер заказа\n500;o-5', 'x.csv'), 'тенге')
  })

  test('is a new one for a file whose headers are those of several sources', async ({ assert }) => {
    const { partner } = await aSale()
    const file = (id: string) => fileOf(rowOn(-1, id))
    for (const [index, name] of ['Магазин', 'Банк'].entries())
      await upload(partner, file(String(index)), { sourceName: name })
    const { registerId } = await upload(partner, file('3'), {
      fileName: 'ноябрь.csv',
      sourceName: undefined,
    })
    const { sourceName: name } = await findRegister(registerId)
    assert.equal(name, 'ноябрь')
  })

  test('is the chosen one; a name that exists in other letters is the same source', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const first = await upload(partner, fileOf(rowOn(-1, '1')), { sourceName })
    const second = await upload(partner, fileOf(rowOn(-1, '2')), {
      sourceName: ' магазин,  ПРОДАЖИ ',
    })
    const { sourceId } = await findRegister(first.registerId)
    const { sourceId: same } = await findRegister(second.registerId)
    assert.equal(same, sourceId)
    const other = await aSale()
    const foreign = await refusalOf(upload(other.partner, fileOf(rowOn(-1, '3')), { sourceId }))
    assert.deepEqual(foreign, { refusalCode: 'NO_SUCH', what: 'source' })
    const nameless = await refusalOf(
      upload(partner, fileOf(rowOn(-1, '4')), { sourceName: ' -- ' })
    )
    assert.equal(nameless!.refusalCode, 'INVALID_PARAMETERS')
    const { n } = await one(
      'SELECT count(*)::int AS n FROM partner_registers WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 2)
  })

  test('simultaneous uploads of like files agree on one source', async ({ assert }) => {
    const { partner } = await aSale()
    const more = { sourceName: undefined }
    const file = fileOf(rowOn(-1, '1'))
    await Promise.all([
      upload(partner, file, more),
      upload(partner, file, { ...more, fileName: 'другое имя.csv' }),
      upload(partner, fileOf(rowOn(-1, '2')), more),
    ])
    assert.lengthOf(await listSources(partner.id), 1)
    const { n } = await one(
      'SELECT count(*)::int AS n FROM partner_registers WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 2)
  })

  test('can be changed until the confirmation; the register is then read again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])), {
      sourceName,
    })
    const setSource = async (choice: object, version?: number) =>
      new SetRegisterSource().handle({
        registerId,
        version: version ?? (await versionOf(registerId)),
        actor: TESTER,
        ...choice,
      })
    const seen = await versionOf(registerId)
    assert.deepEqual(await setSource({ sourceName: 'Эквайер' }), { isUnread: true })
    const changed = await findRegister(registerId)
    assert.deepInclude(changed, { sourceName: 'Эквайер', state: 'mapped', control: null })
    // Somebody who looked at the register as it was before does not confirm it.
    assert.equal((await refusalOf(setSource({ sourceName }, seen)))!.refusalCode, 'STALE')
    await readAndMatch(registerId)
    assert.deepEqual(await setSource({ sourceId: changed.sourceId }), { isUnread: false })
    await confirmRegister(registerId)
    assert.equal((await refusalOf(setSource({ sourceName })))!.refusalCode, 'STATUS_NOT_REACHABLE')
    assert.deepEqual(await entriesOf(partner, 'register_source_set'), [
      { register_id: registerId, file: 'реестр.csv', from: sourceName, to: 'Эквайер' },
    ])
  })

  test('keeps its name, what a row is, what it covers and its words, by version and journal', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const { registerId } = await upload(partner, fileOf(rowOn(-1, '1')), { sourceName })
    await upload(partner, fileOf(rowOn(-1, '2')), { sourceName: 'Возвраты' })
    const { sourceId } = await findRegister(registerId)
    const change = (version: number, more: object) =>
      new ChangeRegisterSource().handle({
        sourceId,
        version,
        actor: TESTER,
        language: 'ru',
        ...more,
      })
    await change(1, { rowIs: 'ticket', coversRefunds: false })
    assert.equal((await refusalOf(change(1, { rowIs: 'order' })))!.refusalCode, 'STALE')
    assert.deepEqual(await refusalOf(change(2, { name: 'ВОЗВРАТЫ' })), {
      refusalCode: 'ALREADY_EXISTS',
      what: 'source',
    })
    const nothing = await refusalOf(change(2, { coversSales: false }))
    assert.equal(nothing!.refusalCode, 'INVALID_PARAMETERS')
    await change(2, { name: 'Билеты' })
    assert.deepInclude(await findSource(sourceId), {
      name: 'Билеты',
      rowIs: 'ticket',
      coversSales: true,
      coversRefunds: false,
      version: 3,
    })
    assert.deepEqual(await entriesOf(partner, 'register_source_changed'), [
      {
        source_id: sourceId,
        source: sourceName,
        changed: {
          rowIs: { from: 'payment', to: 'ticket' },
          coversRefunds: { from: true, to: false },
          isSetUp: { from: false, to: true },
        },
      },
      {
        source_id: sourceId,
        source: 'Билеты',
        changed: { name: { from: sourceName, to: 'Билеты' } },
      },
    ])
  })
})

test.group('The source of a register in the back office', () => {
  test('another source is chosen on the page, and a run reads and matches the register again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const finance = await signedIn(await aStaffMember('finance'))
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])), {
      sourceName,
    })
    await performRuns(partner)
    const choose = async (more: object) =>
      finance.put(`/registers/${registerId}/source`, {
        version: await versionOf(registerId),
        ...more,
      })
    await finance.get(`/registers/${registerId}/mapping`)
    const nameless = await finance.errorsAfter(choose({ sourceName: ' ' }))
    assert.deepEqual(nameless, { sourceId: 'fields.required' })
    await choose({ sourceName: 'Эквайер' })
    await performRuns(partner)
    const { props } = await finance.get(`/registers/${registerId}`)
    assert.containSubset(props.register, { state: 'matched', sourceName: 'Эквайер' })
    assert.deepEqual(props.obstacles, {
      noRows: null,
      control: null,
      unreadMoney: null,
      unknownWords: null,
      setupUnanswered: null,
      earlyRefunds: null,
      foreignOrders: null,
      setupContradicted: null,
      overlapping: [],
    })
  })

  test('who confirms a register that would replace another sees which, and which days would be lost', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const finance = await signedIn(await aStaffMember('finance'))
    const older = await confirmedRegister(partner, fileOf(rowOn(-10, '1')), {
      ...days(-10, -4),
      sourceName,
    })
    const newer = await matchedRegister(partner, fileOf(rowOn(-8, '2')), {
      ...days(-8, -4),
      sourceName,
    })
    const { props } = await finance.get(`/registers/${newer}`)
    const lost = [{ from: dayOf(-10), to: dayOf(-9) }]
    const shown = { id: older, file: 'реестр.csv', from: dayOf(-10), to: dayOf(-4), lost }
    assert.deepEqual(props.obstacles.overlapping, [shown])
    const confirmation = { version: await versionOf(newer) }
    const errors = await finance.errorsAfter(
      finance.post(`/registers/${newer}/confirmation`, { ...confirmation, replaces: [older] })
    )
    assert.deepEqual(errors, { form: 'refused.REGISTER_DAYS_LOST' })
  })
})

test.group('One confirmed register a source and day', () => {
  test('a register is replaced by name, stays readable and is no evidence any more', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const { at } = await partnerFieldsOf(orders[0])
    const sold = await lineOf(orders[0])
    const older = await confirmedRegister(
      partner,
      fileOf(sold, `o-stranger;pay-9;${at};7000;Оплата`),
      { sourceName }
    )
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), ['MISSING_AT_PLATFORM o-stranger 7000 BUYER'])
    const newer = await matchedRegister(partner, fileOf(sold), {
      sourceName,
      fileName: 'новый.csv',
    })
    const taken = await refusalOf(confirmRegister(newer))
    const register = { id: older, file: 'реестр.csv', from: dayOf(-1), to: dayOf(0) }
    assert.deepEqual(taken, { refusalCode: 'REGISTER_DAYS_TAKEN', registers: [register] })
    const another = await refusalOf(confirmRegister(newer, { replaces: [older + 1_000] }))
    assert.equal(another!.refusalCode, 'REGISTER_DAYS_TAKEN')
    const matches = await matchesOf(older)
    await confirmRegister(newer, { replaces: [older] })
    const { state: newState } = await findRegister(newer)
    assert.equal(newState, 'confirmed')
    assert.deepInclude(await findRegister(older), { state: 'replaced', replacedBy: newer })
    assert.deepEqual(await matchesOf(older), matches)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
    const [entry] = await entriesOf(partner, 'register_replaced')
    assert.deepInclude(entry, {
      register_id: older,
      file: 'реестр.csv',
      replaced_by: newer,
      replaced_by_file: 'новый.csv',
    })
  })

  test('cases that were answered stay as they are when their register is replaced', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const sold = await lineOf(orders[0])
    const { at } = await partnerFieldsOf(orders[0])
    const stranger = `o-stranger;pay-9;${at};7000;Оплата`
    const older = await confirmedRegister(partner, fileOf(sold, stranger), { sourceName })
    await refreshDefects(partner)
    const readCases = () =>
      rows(
        'SELECT id, key, state, buyer_tenge::int AS buyer FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL ORDER BY id',
        partner.id
      )
    const [{ id }] = await readCases()
    const caseId = id as number
    await new AddCaseNote().handle({ caseId, text: 'Вернём в декабре', actor: TESTER })
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const more = `o-other;pay-8;${at};500;Оплата`
    const newer = await matchedRegister(partner, fileOf(sold, stranger, more), {
      sourceName,
      fileName: 'новый.csv',
    })
    await confirmRegister(newer, { replaces: [older] })
    await refreshDefects(partner)
    const [kept, added, ...others] = await readCases()
    assert.isEmpty(others)
    assert.deepEqual(kept, { id: caseId, key: 'o-stranger', state: 'resolved', buyer: 7_000 })
    assert.include(added, { key: 'o-other', state: 'open', buyer: 500 })
    const { notes } = await readCase(caseId)
    assert.deepEqual(
      notes.map(({ text }) => text),
      ['Вернём в декабре']
    )
  })

  test('a new register replaces several that lie within its days; neighbours and other sources stay', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const confirmed = (first: number, last: number, name = sourceName) =>
      confirmedRegister(partner, fileOf(rowOn(first, `${name} ${first}`)), {
        ...days(first, last),
        sourceName: name,
      })
    const [week, next] = [await confirmed(-20, -14), await confirmed(-13, -12)]
    const [neighbour, other] = [await confirmed(-5, -2), await confirmed(-20, -12, 'Эквайер')]
    const month = await matchedRegister(partner, fileOf(rowOn(-15, 'm')), {
      ...days(-20, -6),
      sourceName,
    })
    const named = await refusalOf(confirmRegister(month, { replaces: [week] }))
    assert.deepEqual(
      (named!.registers as { id: number }[]).map(({ id }) => id),
      [next]
    )
    await confirmRegister(month, { replaces: [week, next, neighbour, other] })
    const states = await rows(
      'SELECT id, state FROM partner_registers WHERE partner_id = ? ORDER BY id',
      partner.id
    )
    assert.deepEqual(
      states.map(({ state }) => state),
      ['replaced', 'replaced', 'confirmed', 'confirmed', 'confirmed']
    )
  })

  test('one that reaches beyond the new days is not replaced, and the days are named', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const older = await confirmedRegister(partner, fileOf(rowOn(-10, '1')), {
      ...days(-10, -4),
      sourceName,
    })
    const newer = await matchedRegister(partner, fileOf(rowOn(-8, '2')), {
      ...days(-8, -5),
      sourceName,
    })
    assert.deepEqual(await refusalOf(confirmRegister(newer, { replaces: [older] })), {
      refusalCode: 'REGISTER_DAYS_LOST',
      registers: [
        {
          id: older,
          file: 'реестр.csv',
          from: dayOf(-10),
          to: dayOf(-4),
          lost: [
            { from: dayOf(-10), to: dayOf(-9) },
            { from: dayOf(-4), to: dayOf(-4) },
          ],
        },
      ],
    })
    const { state } = await findRegister(older)
    assert.equal(state, 'confirmed')
    // Of another source it is no matter.
    await new SetRegisterSource().handle({
      registerId: newer,
      version: await versionOf(newer),
      sourceName: 'Эквайер',
      actor: TESTER,
    })
    await readAndMatch(newer)
    await confirmRegister(newer)
  })

  test('of two people who confirm at once one is refused', async ({ assert }) => {
    const { partner } = await aSale()
    const confirmed = async (id: string) =>
      matchedRegister(partner, fileOf(rowOn(-3, id)), { ...days(-5, -1), sourceName })
    const both = [await confirmed('1'), await confirmed('2')]
    const answers = await Promise.all(both.map((id) => refusalOf(confirmRegister(id))))
    const refused = answers.filter((answer) => answer !== null)
    assert.lengthOf(refused, 1)
    assert.equal(refused[0].refusalCode, 'REGISTER_DAYS_TAKEN')
    const winner = both[answers.indexOf(null)]
    const [{ id }] = refused[0].registers as { id: number }[]
    assert.equal(id, winner)
  })

  test('who confirms while another is being confirmed waits for it and is then refused', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const more = { ...days(-5, -1), sourceName }
    const first = await matchedRegister(partner, fileOf(rowOn(-3, '1')), more)
    const second = await matchedRegister(partner, fileOf(rowOn(-3, '2')), more)
    const { sourceId } = await findRegister(first)
    const other = await db.transaction()
    await other.rawQuery('SELECT 1 FROM register_sources WHERE id = ? FOR NO KEY UPDATE', [
      sourceId,
    ])
    await other.rawQuery(`UPDATE partner_registers SET state = 'confirmed' WHERE id = ?`, [first])
    const confirming = refusalOf(confirmRegister(second))
    for (;;) {
      const { n } = await ownerOne(
        `SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%register_sources%'`
      )
      if (n === 1) break
    }
    await other.commit()
    const refused = await confirming
    assert.equal(refused!.refusalCode, 'REGISTER_DAYS_TAKEN')
  })

  test('the database refuses two, whoever writes them, and a source of another partner', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const confirmed = (first: number, last: number) =>
      confirmedRegister(partner, fileOf(rowOn(first, `${first}`)), {
        ...days(first, last),
        sourceName,
      })
    const [first, second] = [await confirmed(-10, -6), await confirmed(-5, -1)]
    const extend = (to: Date) =>
      ownerRows('UPDATE partner_registers SET period_to = ? WHERE id = ?', to, first)
    await assert.rejects(() => extend(midnight(-4)), /one_confirmed_register_a_source_and_day/)
    await extend(midnight(-5))
    const other = await aSale()
    const { registerId } = await upload(other.partner, fileOf(rowOn(-1, '1')))
    const { sourceId } = await findRegister(second)
    await assert.rejects(
      () =>
        ownerRows('UPDATE partner_registers SET source_id = ? WHERE id = ?', sourceId, registerId),
      /partner_registers_partner_id_source_id_fkey/
    )
    await assert.rejects(
      () => ownerRows(`UPDATE partner_registers SET state = 'replaced' WHERE id = ?`, first),
      /partner_registers_replaced/
    )
  })

  test('the same file under another name is the same register, and counts once', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const file = fileOf(rowOn(-3, '1'))
    const first = await confirmedRegister(partner, file, { ...days(-5, -1), sourceName })
    const again = await upload(partner, file, { fileName: 'копия.csv', sourceName: 'Эквайер' })
    assert.deepEqual(again, { registerId: first, isNew: false })
    const { state } = await findRegister(first)
    assert.equal(state, 'confirmed')
    assert.lengthOf(await listSources(partner.id), 1)
  })

  test('a replaced register can be withdrawn and its file uploaded again', async ({ assert }) => {
    const { partner } = await aSale()
    const file = fileOf(rowOn(-3, '1'))
    const more = { ...days(-5, -1), sourceName }
    const older = await confirmedRegister(partner, file, more)
    const newer = await matchedRegister(partner, fileOf(rowOn(-3, '2')), more)
    await confirmRegister(newer, { replaces: [older] })
    const drop = async (registerId: number) =>
      new DropRegister().handle({
        registerId,
        version: await versionOf(registerId),
        reason: 'Не тот файл',
        ...ASKER,
      })
    await drop(newer)
    const { state } = await findRegister(older)
    assert.equal(state, 'replaced')
    await drop(older)
    const { isNew } = await upload(partner, file, more)
    assert.isTrue(isNew)
  })
})

test.group('What keeps a register from being confirmed', () => {
  const reason = 'Партнёр подтвердил письмом'

  test('control figures that differ, unless somebody waives them with a reason', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(orders[0]), 'Итого;;;36000;'),
      { declaredRows: 3 }
    )
    const problem = {
      count: { declared: 3, read: 1 },
      sum: { declaredTenge: '36000', readTenge: '12000' },
    }
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'CONTROL_DIFFERS',
      ...problem,
    })
    await confirmRegister(registerId, { waiver: { reason } })
    const { waiver } = await findRegister(registerId)
    assert.deepEqual(waiver, {
      reason,
      problems: {
        noRows: null,
        control: problem,
        unreadMoney: null,
        unknownWords: null,
        setupUnanswered: null,
        earlyRefunds: null,
        foreignOrders: null,
        setupContradicted: null,
      },
    })
    const [{ waived }] = await entriesOf(partner, 'register_confirmed')
    assert.deepEqual(waived, waiver)
  })

  test('a file without rows, and the page of its columns says that it has none', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const registerId = await matchedRegister(partner, fileOf('Итого;;;0;'))
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/registers/${registerId}/mapping`)
    const sample = props.sample as { isPayment: boolean }[]
    assert.deepEqual(
      sample.map(({ isPayment }) => isPayment),
      [false]
    )
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), { refusalCode: 'NO_ROWS' })
    await confirmRegister(registerId, { waiver: { reason } })
    const { waiver } = await findRegister(registerId)
    assert.containSubset(waiver, { reason, problems: { noRows: true } })
  })

  test('a payment at the end of the file stands among the first rows on the page of its columns, too', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const last = 'P-2;;;двенадцать тысяч;'
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0]), last))
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/registers/${registerId}/mapping`)
    assert.containSubset(props.sample, [
      { line: 2, isPayment: true },
      { line: 3, isPayment: true, problems: [{ code: 'AMOUNT_UNREADABLE' }] },
    ])
  })

  test('rows that were not read and carry money, with their lines and sums', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(
      partner,
      fileOf(
        await lineOf(orders[0]),
        `o-2;p-2;${noonOn(-1)};12,50;Оплата`,
        ';;;5000;Оплата',
        `o-3;p-3;${noonOn(-1)};;Оплата`,
        ';;;0;Оплата'
      )
    )
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'UNREAD_MONEY',
      count: 2,
      tenge: '5000',
      rows: [
        { line: 3, tenge: null, column: 'Сумма', found: '12,50' },
        { line: 4, tenge: '5000', column: 'Сумма', found: '5000' },
      ],
    })
    await confirmRegister(registerId, { waiver: { reason } })
  })

  test('a sum that cannot be read while the control figures differ: both are waived, or neither', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(
      partner,
      fileOf(
        await lineOf(orders[0]),
        `o-2;p-2;${noonOn(-1)};двенадцать тысяч;Оплата`,
        'Итого;;;24000;'
      )
    )
    const refused = await refusalOf(confirmRegister(registerId))
    assert.equal(refused!.refusalCode, 'CONTROL_DIFFERS')
    const { state } = await findRegister(registerId)
    assert.equal(state, 'matched')
    await confirmRegister(registerId, { waiver: { reason } })
    const { waiver } = await findRegister(registerId)
    assert.containSubset(waiver!.problems, {
      control: { sum: { declaredTenge: '24000', readTenge: '12000' } },
      unreadMoney: { count: 1, rows: [{ line: 3, found: 'двенадцать тысяч' }] },
    })
  })

  test('unknown words; once their meaning is remembered for the source they are known', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const header = `${HEADER}\r\n`
    const line = await lineOf(orders[0])
    const body = [
      line,
      `o-2;p-2;${noonOn(-1)};5000;КОРРЕКТУРА`,
      `o-3;p-3;${noonOn(-1)};3000;Корректура`,
      `o-4;p-4;${noonOn(-1)};1000;Бонус`,
    ]
    const registerId = await matchedRegister(partner, header + body.join('\r\n'), { sourceName })
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'UNKNOWN_WORDS',
      count: 3,
      tenge: '9000',
      words: [
        { word: 'корректура', count: 2, tenge: '8000', lines: [3, 4] },
        { word: 'бонус', count: 1, tenge: '1000', lines: [5] },
      ],
    })
    await setUpSource(registerId, { words: { корректура: 'refund', бонус: 'not_money' } })
    await mapColumns(registerId)
    await readAndMatch(registerId)
    const read = await rows(
      `SELECT amount_tenge::int AS tenge, kind, is_not_paid AS "isNotPaid" FROM partner_register_rows
        WHERE register_id = ? AND line > 2 ORDER BY line`,
      registerId
    )
    assert.deepEqual(read, [
      { tenge: -5_000, kind: 'refund', isNotPaid: false },
      { tenge: -3_000, kind: 'refund', isNotPaid: false },
      { tenge: 1_000, kind: 'sale', isNotPaid: true },
    ])
    await confirmRegister(registerId)
    const { waiver } = await findRegister(registerId)
    assert.isNull(waiver)
  })

  test('a corrected word makes other registers of the source unread, but not confirmed ones', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const file = (line: string) => fileOf(line, `o-9;p-9;${noonOn(-1)};5000;Корректура`)
    const words = { корректура: 'not_money' } as const
    const confirmed = await matchedRegister(partner, file(await lineOf(orders[0])), { sourceName })
    await setUpAndRead(confirmed, { words })
    await confirmRegister(confirmed)
    const { sourceId } = await findRegister(confirmed)
    const others = [
      await matchedRegister(partner, file(await lineOf(orders[1])), { sourceId }),
      await matchedRegister(partner, file(`o-8;p-8;${noonOn(-1)};5000;Оплата`), { sourceId }),
    ]
    const finance = await signedIn(await aStaffMember('finance'))
    const { version, isSetUp } = await findSource(sourceId)
    assert.isTrue(isSetUp)
    await finance.put(`/registers/${others[0]}/setup`, {
      version,
      words: [{ word: 'Корректура', meaning: 'refund' }],
    })
    const states = await Promise.all([confirmed, ...others].map(stateOfRegister))
    assert.deepEqual(states, ['confirmed', 'mapped', 'mapped'])
    await performRuns(partner)
    const { control } = await findRegister(others[0])
    assert.equal(control!.refundsTenge, '5000')
  })

  test('a waiver of nothing is not kept', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    await confirmRegister(registerId, { waiver: { reason } })
    const { waiver } = await findRegister(registerId)
    assert.isNull(waiver)
  })
})
