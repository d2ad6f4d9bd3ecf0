import { readAttention, selectCharged } from '#back_office/overview/attention'
import ChangeCase from '#case_work/change_case'
import { EXPOSED_PARTIES, type ExposureTenge } from '#defects/facts/exposure'
import type { CaseFilters } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { readCase } from '#finance/cases/read_case'
import { listAccounts } from '#finance/settlement/list_accounts'
import { sumNumbers } from '#shared/sums'
import { transaction } from '#shared/transaction'
import { NO_FILTERS, aCaseOfTwoParties, refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf, TESTER, type TestPartner } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import {
  caseExposureOf,
  expiredOrderOf,
  exposuresOf,
  pendingOrderOf,
} from '#tests/support/register_defects'
import { confirmedRegister, fileOf, lineOf, soldOrderOf } from '#tests/support/registers'
import { one, ownerRows, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { dataIn, readSheet } from '#tests/support/settlement_workbook'
import { StaffClient } from '#tests/support/staff_client'
import { findScope } from '#workbooks/document/find_scope'
import { readDocument } from '#workbooks/document/read_document'
import { WORDS } from '#workbooks/words/words'
import { WorkbookWriter } from '#workbooks/writing/workbook_writer'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { test } from '@japa/runner'
import ExcelJS from 'exceljs'

const DAY_MS = 86_400_000
const NOBODY = 'nobody@platform.test'

const list = async (filters: Partial<CaseFilters>, size?: number) =>
  listCases({ ...NO_FILTERS, ...filters }, NOBODY, size)

/** A case of two parties, and a late payment of 24,000 in a case of its own. */
async function aPartnerWithTwoCases() {
  const sale = await aCaseOfTwoParties()
  const late = await expiredOrderOf(sale, 'seat-2-3', 'seat-2-4')
  await confirm(sale.client, late, paymentOf(24_000))
  await refreshDefects(sale.partner)
  return { ...sale, late }
}

async function resolve(caseId: number) {
  const { version } = await one('SELECT version FROM settlement_cases WHERE id = ?', caseId)
  const change = { state: 'resolved', reason: 'Вернули' } as const
  await new ChangeCase().handle({ caseId, version, change, actor: TESTER })
}

/** One of its two cases is dismissed. */
async function aPartnerWithDismissedCase() {
  const sale = await aPartnerWithTwoCases()
  const change = { state: 'dismissed', reason: 'Проверка' } as const
  await new ChangeCase().handle({ caseId: sale.caseId, version: 1, change, actor: TESTER })
  return sale
}

/** Both sides of each check of the control sheet, and whether they are equal, by its name. */
async function checksIn(path: string) {
  const control = await readSheet(path, 'control')
  const checks = control.filter((cells) => typeof cells[3] === 'boolean')
  return new Map(checks.map(([name, ...figures]) => [name, figures.slice(0, 3)]))
}

const unowned = async () => {
  const attention = await readAttention()
  const found = attention.find(({ kind }) => kind === 'cases_unowned')
  return {
    count: found?.count ?? 0,
    exposure: found?.exposure ?? { buyer: 0, platform: 0, partner: 0 },
  }
}

const csvLines = (text: string) => text.split(/\r?\n/).map((line) => line.split(';'))

const sumUp = (exposures: ExposureTenge[]) =>
  Object.fromEntries(
    EXPOSED_PARTIES.map((party) => [party, sumNumbers(exposures, (each) => each[party])])
  ) as ExposureTenge

test.group('Money at risk by party', (group) => {
  const scratch = scratchDirectory(group)

  const bookInput = ({ code }: TestPartner) => ({
    partnerCode: code,
    scope: { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) },
    path: scratch.at('book.xlsx'),
    language: 'ru' as const,
  })
  const writeBook = async (partner: TestPartner) => {
    const { path } = await writeSettlementWorkbook(bookInput(partner))
    return path
  }

  test('a case with money of two parties shows both in the list, its page, the file and the accounts', async ({
    assert,
  }) => {
    const { partner, key, caseId } = await aCaseOfTwoParties()
    const both = { buyer: 12_000, platform: 12_000, partner: 0 }
    assert.deepEqual(await caseExposureOf(key), { buyer: 12_000, platform: 12_000 })
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER', '12000 PLATFORM'])
    const { rows: lines } = await list({ partner: partner.code })
    assert.deepEqual(
      lines.map(({ id, exposure }) => [id, exposure]),
      [[caseId, both]]
    )
    const { kase } = await readCase(caseId)
    assert.deepEqual([kase.exposure, kase.isOpen], [both, true])
    const [account] = await listAccounts(partner.code)
    assert.deepEqual([account.openCases, account.exposure], [1, both])
    const finance = await StaffClient.signedIn('finance')
    const response = await finance.get(`/back-office/cases.csv?partner=${partner.code}`)
    const [headings, , cells] = csvLines(await response.text())
    const cellOf = (heading: string) => cells[headings.indexOf(heading)]
    assert.deepEqual(
      EXPOSED_PARTIES.map((party) => cellOf(`open_${party}_tenge`)),
      ['12000', '12000', '0']
    )
  })

  test('it is found by each party that has money in it', async ({ assert }) => {
    const { partner } = await aCaseOfTwoParties()
    for (const [party, count] of [
      ['BUYER', 1],
      ['PLATFORM', 1],
      ['PARTNER', 0],
      ['NONE', 0],
      ['nonsense', 0],
    ] as const) {
      const { rows: found } = await list({ partner: partner.code, party })
      assert.lengthOf(found, count, party)
    }
  })

  test('overview, list, accounts and workbook have the same sums, and a resolved case is in none', async ({
    assert,
  }) => {
    const before = await unowned()
    const { partner, caseId } = await aPartnerWithTwoCases()
    const sums = async () => {
      const path = await writeBook(partner)
      const { rows: lines } = await list({ partner: partner.code })
      const [account] = await listAccounts(partner.code)
      const { count, exposure } = await unowned()
      const defects = await dataIn(path, 'defects')
      const summary = await readSheet(path, 'summary')
      const total = summary.find(([name]) => name === WORDS.ru.altogether)!
      for (const [name, [left, right, isEqual]] of await checksIn(path))
        assert.deepEqual([isEqual, left], [true, right], String(name))
      const inSheet = (key: string) => sumNumbers(defects, (row) => Number(row[key]))
      return {
        list: sumUp(lines.map((line) => line.exposure)),
        accounts: account.exposure,
        overview: sumUp([
          exposure,
          ...EXPOSED_PARTIES.map((party) => ({
            buyer: 0,
            platform: 0,
            partner: 0,
            [party]: -before.exposure[party],
          })),
        ]),
        sheet: {
          buyer: inSheet('buyerExposure'),
          platform: inSheet('platformExposure'),
          partner: inSheet('partnerExposure'),
        },
        summary: { buyer: total[3], platform: total[4], partner: total[5] },
        counts: [lines.length, account.openCases, count - before.count],
      }
    }
    const expected = { buyer: 36_000, platform: 12_000, partner: 0 }
    assert.deepEqual(await sums(), {
      list: expected,
      accounts: expected,
      overview: expected,
      sheet: expected,
      summary: expected,
      counts: [2, 2, 2],
    })
    await resolve(caseId)
    const left = { buyer: 24_000, platform: 0, partner: 0 }
    assert.deepEqual(await sums(), {
      list: left,
      accounts: left,
      overview: left,
      sheet: left,
      summary: left,
      counts: [1, 1, 1],
    })
  })

  test('a resolved case that is asked for shows its sums as no longer at risk', async ({
    assert,
  }) => {
    const { partner, caseId } = await aCaseOfTwoParties()
    await resolve(caseId)
    const { rows: lines } = await list({ partner: partner.code, state: 'any' })
    assert.deepEqual(
      lines.map(({ isOpen, exposure }) => [isOpen, exposure]),
      [[false, { buyer: 12_000, platform: 12_000, partner: 0 }]]
    )
    const finance = await StaffClient.signedIn('finance')
    const response = await finance.get(`/back-office/cases.csv?partner=${partner.code}&state=any`)
    const [headings, , cells] = csvLines(await response.text())
    assert.equal(cells[headings.indexOf('open_buyer_tenge')], '0')
  })

  test('an unowned case stays in the overview however old it is', async ({ assert }) => {
    const before = await unowned()
    const { caseId } = await aCaseOfTwoParties()
    await ownerRows(
      `UPDATE settlement_cases SET occurred_at = occurred_at - interval '400 days', found_at = found_at - interval '400 days'
        WHERE id = ?`,
      caseId
    )
    const { count, exposure } = await unowned()
    assert.deepEqual([count - before.count, exposure.buyer - before.exposure.buyer], [1, 12_000])
  })

  test('of many refused payments the overview says how many there are and how much', async ({
    assert,
  }) => {
    const before = await unowned()
    const sale = await aSale()
    for (let seat = 1; seat <= 21; seat++) {
      const place = `seat-${1 + Math.ceil(seat / 10)}-${((seat - 1) % 10) + 1}`
      const orderId = await expiredOrderOf(sale, place)
      await confirm(sale.client, orderId, paymentOf(12_000))
    }
    await refreshDefects(sale.partner)
    const { exposure: late, count } = await unowned()
    const open = await list({ partner: sale.partner.code })
    assert.lengthOf(open.rows, 21)
    assert.equal(count - before.count, 21)
    const { buyer } = sumUp(open.rows.map(({ exposure }) => exposure))
    assert.isAtLeast(buyer, 21 * 12_000)
    assert.equal(late.buyer - before.exposure.buyer, buyer)
  })

  test('a refused payment leaves the overview when its case is settled or repaired', async ({
    assert,
  }) => {
    const sale = await aSale()
    const [settled, repaired] = [
      await expiredOrderOf(sale, 'seat-2-1'),
      await expiredOrderOf(sale, 'seat-2-2'),
    ]
    const payment = paymentOf(12_000)
    await confirm(sale.client, settled, paymentOf(12_000))
    await confirm(sale.client, repaired, payment)
    /** Of the orders those that have no case yet, and how many of the partner's buyers have one. */
    const shown = async () => {
      const charged = await selectCharged({})
      const ids = charged.flatMap(({ orders }) => orders.map(({ orderId }) => orderId))
      const attention = await readAttention()
      const partners = attention.flatMap((line) => line.partners ?? [])
      return {
        refused: [settled, repaired].map((id) => ids.includes(id)),
        cases: partners.find(({ code }) => code === sale.partner.code)?.count ?? 0,
      }
    }
    assert.deepEqual(await shown(), { refused: [true, true], cases: 0 })
    await refreshDefects(sale.partner)
    assert.deepEqual(await shown(), { refused: [false, false], cases: 2 })
    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', settled)
    await resolve(id)
    assert.deepEqual(await shown(), { refused: [false, false], cases: 1 })
    await confirm(sale.client, await pendingOrderOf(sale, ['seat-2-3']), payment)
    await refreshDefects(sale.partner)
    assert.deepEqual(await shown(), { refused: [false, false], cases: 0 })
  })

  test('the list shows the newest first or the most money first, page by page', async ({
    assert,
  }) => {
    const { partner } = await aPartnerWithTwoCases()
    await ownerRows(
      `UPDATE settlement_cases SET buyer_tenge = 1000, platform_tenge = 0 WHERE partner_id = ? AND buyer_tenge = 24000`,
      partner.id
    )
    const pages = async (sort: string | null) => {
      const ids: number[] = []
      let before: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(
          { partner: partner.code, sort, before },
          1
        )
        ids.push(...page.rows.map(({ id }) => id))
        before = page.older
      } while (before !== null)
      return ids
    }
    const newest = await rows(
      'SELECT id FROM settlement_cases WHERE partner_id = ? ORDER BY occurred_at DESC, id DESC',
      partner.id
    )
    const ids = newest.map(({ id }) => id as number)
    assert.lengthOf(ids, 2)
    assert.deepEqual(await pages(null), ids)
    // The later case has 1,000, the earlier one 24,000.
    assert.deepEqual(await pages('money'), ids.toReversed())
    assert.deepEqual(await pages('oldest'), ids.toReversed())
    const first = await list({ partner: partner.code, sort: 'money' })
    for (const before of ['nonsense', '2100-01-01T00:00:00.000Z~1']) {
      const { rows: found } = await list({ partner: partner.code, sort: 'money', before })
      assert.deepEqual(found, first.rows, before)
    }
  })

  test('a resolved case opens again when another party’s money comes to it', async ({ assert }) => {
    const sale = await aSale()
    const here = await soldOrderOf(sale, ['seat-2-1'])
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    await confirm(sale.client, lacking, paymentOf(12_000))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(lacking), { buyer: 12_000 })
    const read = () => one('SELECT id, state FROM settlement_cases WHERE key = ?', lacking)
    const { id } = await read()
    await resolve(id)
    await refreshDefects(sale.partner)
    assert.deepEqual(await read(), { id, state: 'resolved' })
    await confirmedRegister(sale.partner, fileOf(await lineOf(here)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(lacking), { buyer: 12_000, platform: 12_000 })
    assert.deepEqual(await read(), { id, state: 'open' })
  })

  test('the summary counts a dismissed case as ended, by its formulas too', async ({ assert }) => {
    const { partner } = await aPartnerWithDismissedCase()
    const path = await writeBook(partner)
    const defects = await dataIn(path, 'defects')
    const open = defects.filter(({ state }) => state !== 'dismissed').length
    const summary = await readSheet(path, 'summary')
    const total = summary.find(([name]) => name === WORDS.ru.altogether)!
    assert.deepEqual([total[6], total[7]], [open, defects.length - open])
    const book = new ExcelJS.Workbook()
    await book.xlsx.readFile(path)
    const sheet = book.getWorksheet(WORDS.ru.sheets.summary)!
    const counted = { G: 0, H: 0 }
    sheet.eachRow((row) => {
      for (const column of ['G', 'H'] as const) {
        const { formula } = row.getCell(column)
        if (formula?.includes('COUNTIFS')) counted[column] += countedBy(formula, defects)
      }
    })
    assert.deepEqual(counted, { G: open, H: defects.length - open })
    const checks = await checksIn(path)
    assert.deepEqual(checks.get(WORDS.ru.checks.openDefects), [1, 1, true])
    assert.notInclude([...checks.values()].flat(), false)
  })

  test('the control sheet says FALSE where the summary counts a dismissed case as open', async ({
    assert,
  }) => {
    const { partner } = await aPartnerWithDismissedCase()
    const input = { ...bookInput(partner), path: scratch.at('wrong.xlsx') }
    const scope = await findScope(partner.code, input.scope, input.language)
    await transaction(async (trx) => {
      const document = await readDocument(scope, trx, { rowsPerSheet: 1_000 })
      const defectsByCode = document.defectsByCode.map((row) => ({
        ...row,
        open: row.open + row.resolved,
        resolved: 0,
      }))
      await new WorkbookWriter(input, scope, { ...document, defectsByCode }, trx).write()
    })
    const checks = [...(await checksIn(input.path))]
    assert.deepEqual(
      checks.filter(([, [, , isEqual]]) => isEqual === false),
      [[WORDS.ru.checks.openDefects, [4, 1, false]]]
    )
  })
})

test.group('Money at risk as processes of the former version write it', () => {
  test('the amount and the party of the old columns become that party’s money', async ({
    assert,
  }) => {
    const { key } = await aCaseOfTwoParties()
    await ownerRows(
      `UPDATE settlement_cases SET exposure_tenge = 5000, exposure_party = 'PLATFORM' WHERE key = ?`,
      key
    )
    assert.deepEqual(await caseExposureOf(key), { platform: 5_000 })
    await ownerRows(
      `UPDATE settlement_cases SET state = 'resolved', resolution = 'Да', settled_tenge = exposure_tenge,
              settled_party = exposure_party, settled_payment_ids = payment_ids WHERE key = ?`,
      key
    )
    const settled = await one(
      'SELECT settled_buyer_tenge::int AS buyer, settled_platform_tenge::int AS platform FROM settlement_cases WHERE key = ?',
      key
    )
    assert.deepEqual(settled, { buyer: 0, platform: 5_000 })
  })
})

/** Computes a formula of COUNTIFS over the rows of defects, plus and minus included. */
function countedBy(formula: string, defects: Record<string, unknown>[]) {
  let count = 0
  for (const [, sign, code, state] of formula.matchAll(
    /([+-]?)COUNTIFS\(def_code,"(\w+)"(?:,def_state,"(\w+)")?\)/g
  )) {
    const found = defects.filter((row) => row.code === code && (!state || row.state === state))
    count += sign === '-' ? -found.length : found.length
  }
  return count
}
