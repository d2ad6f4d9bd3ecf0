import { readSettlementAttention } from '#back_office/overview/settlement_attention'
import { readOrderSettlement } from '#back_office/orders/read_order_settlement'
import ChangeCase from '#case_work/change_case'
import CheckPeriod from '#defects/cases/check_period'
import { EXPOSED_PARTIES, type ExposureTenge } from '#defects/facts/exposure'
import { readFigures } from '#finance/cases/case_figures'
import type { CaseLine } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { readCase } from '#finance/cases/read_case'
import { listAccounts } from '#finance/settlement/list_accounts'
import { readPreview } from '#finance/settlement/read_account'
import QueueStatementMails from '#reporting/mails/actions/queue_statement_mails'
import { sumNumbers } from '#shared/sums'
import env from '#start/env'
import { NO_FILTERS } from '#tests/support/cases'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { anEvent, TESTER, type TestPartner } from '#tests/support/fixtures'
import { aMailServer, mailOff, mailTo } from '#tests/support/mail_server'
import { aContact, deliverMails, giveUpMails, issueFor } from '#tests/support/mails'
import { one, rows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { dataIn, readSheet } from '#tests/support/settlement_workbook'
import { StaffClient } from '#tests/support/staff_client'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { test } from '@japa/runner'
import { parse } from 'csv-parse/sync'
import pg from 'pg'

const PAGE = 5

type Line = Record<string, string>

/** A month of 800 orders with its late and repeated charges; the second paid order has the first one's payment, too. */
async function aMonth() {
  await anEvent()
  const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
  await database.connect()
  try {
    const size = { partnerCode: 'equal-sums', prefix: 'EQ', orders: 800, ticketsPerOrder: 1 }
    const month = await fillMonth(database, size)
    await database.query('SET session_replication_role = replica')
    const [first, second] = ['EQ%-0000010', 'EQ%-0000011']
    for (const [table, order, payment] of [
      ['orders', 'id', 'payment_external_id'],
      ['confirm_attempts', 'order_id_sent', 'external_payment_id'],
    ])
      await database.query(
        `UPDATE ${table} SET ${payment} = (SELECT payment_external_id FROM orders WHERE id LIKE $1) WHERE ${order} LIKE $2`,
        [first, second]
      )
    return month
  } finally {
    await database.end()
  }
}

/** From orders and confirms alone: charges that bought nothing, and the smaller order of the payment that two have. */
async function truthOf({ partnerId }: Month): Promise<ExposureTenge> {
  const { buyer, platform } = await one(
    `SELECT (SELECT sum(o.total_tenge)::int FROM orders o
              WHERE o.partner_id = :id AND o.confirmed_at IS NULL
                AND EXISTS (SELECT 1 FROM confirm_attempts a WHERE a.order_id_sent = o.id
                              AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.payment_external_id = a.external_payment_id))) AS buyer,
            (SELECT min(total_tenge)::int FROM orders
              WHERE partner_id = :id AND payment_external_id = (SELECT payment_external_id FROM orders WHERE id LIKE 'EQ%-0000010')) AS platform`.replaceAll(
      ':id',
      String(partnerId)
    )
  )
  return { buyer, platform, partner: 0 }
}

const add = (exposures: ExposureTenge[]) =>
  Object.fromEntries(
    EXPOSED_PARTIES.map((party) => [party, sumNumbers(exposures, (each) => each[party])])
  ) as ExposureTenge
const without = (all: ExposureTenge, others: ExposureTenge) =>
  Object.fromEntries(
    EXPOSED_PARTIES.map((party) => [party, all[party] - others[party]])
  ) as ExposureTenge

async function everyCase(partner: string) {
  const lines: CaseLine[] = []
  let before: string | null = null
  do {
    const page = await listCases({ ...NO_FILTERS, partner, before }, 'nobody@platform.test', PAGE)
    lines.push(...page.rows)
    before = page.older
  } while (before !== null)
  return lines
}

async function pageOf(id: number) {
  const { kase, balance, defects } = await readCase(id)
  const shares = EXPOSED_PARTIES.map((party) => {
    const own = defects.filter(({ exposureParty }) => exposureParty === party.toUpperCase())
    return [party, sumNumbers(own, ({ exposureTenge }) => exposureTenge)] as const
  })
  return {
    exposure: kase.exposure,
    balance: {
      buyer: balance!.buyerTenge,
      platform: balance!.platformTenge,
      partner: balance!.partnerTenge,
    },
    shares: Object.fromEntries(shares) as ExposureTenge,
  }
}

const ofColumns = (lines: Line[], nameOf: (party: string) => string) =>
  Object.fromEntries(
    EXPOSED_PARTIES.map((party) => [
      party,
      sumNumbers(lines, (line) => Number(line[nameOf(party)])),
    ])
  ) as ExposureTenge

async function fileOf(path: string) {
  const finance = await StaffClient.signedIn('finance')
  const answer = await finance.get(`/back-office/${path}`)
  const options = { bom: true, delimiter: ';', columns: true } as const
  const [, ...lines] = parse<Line>(await answer.text(), options)
  // A line of totals has no partner.
  const rowsOfPartners = lines.filter(({ partner }) => partner !== '')
  return ofColumns(rowsOfPartners, (party) => `open_${party}_tenge`)
}

const overviewNow = async () => {
  const attention = await readSettlementAttention()
  const nothing = { buyer: 0, platform: 0, partner: 0 }
  return attention.find(({ kind }) => kind === 'cases_unowned')?.exposure ?? nothing
}

async function figuresNow() {
  const { exposure } = await readFigures(NO_FILTERS, '')
  return exposure
}

test.group('Open money of a generated month', (group) => {
  const scratch = scratchDirectory(group)
  group.each.teardown(async () => {
    mailOff()
    await giveUpMails()
  })

  test('is the same in every list, page, file, workbook and mail', async ({ assert, cleanup }) => {
    const others = { overview: await overviewNow(), figures: await figuresNow() }
    const month = await aMonth()
    const { partnerId, partnerCode, from, to } = month
    const partner = { id: partnerId, code: partnerCode } as TestPartner
    await new CheckPeriod().handle({ partnerId, from, to })

    const places = async () => {
      const cases = await everyCase(partnerCode)
      const pages = await Promise.all(cases.map(({ id }) => pageOf(id)))
      const orders = cases.map(({ orders: [first] }) => first)
      const ofOrders = await Promise.all(orders.map(readOrderSettlement))
      const [account] = await listAccounts(partnerCode)
      const path = scratch.at('book.xlsx')
      await writeSettlementWorkbook({ partnerCode, scope: { from, to }, path, language: 'ru' })
      const defects = (await dataIn(path, 'defects')) as Line[]
      const summary = await readSheet(path, 'summary')
      const [buyer, platform, ours] = summary
        .find(([name]) => name === WORDS.ru.altogether)!
        .slice(3, 6)
      return {
        overview: without(await overviewNow(), others.overview),
        totalsOfList: without(await figuresNow(), others.figures),
        list: add(cases.map(({ exposure }) => exposure)),
        fileOfList: await fileOf(`cases.csv?partner=${partnerCode}`),
        casePages: add(pages.map(({ exposure }) => exposure)),
        balances: add(pages.map(({ balance }) => balance)),
        shares: add(pages.map(({ shares }) => shares)),
        orderPages: add(
          ofOrders.flatMap(({ cases: found }) =>
            found.filter(({ isOpen }) => isOpen).map(({ exposure }) => exposure)
          )
        ),
        accounts: account.exposure,
        fileOfAccounts: await fileOf(`settlement.csv?q=${partnerCode}`),
        defectsSheet: ofColumns(defects, (party) => `${party}Exposure`),
        matrix: { buyer, platform, partner: ours },
      }
    }
    const assertEqual = async (expected: ExposureTenge) => {
      for (const [place, sums] of Object.entries(await places()))
        assert.deepEqual(sums, expected, place)
    }

    const truth = await truthOf(month)
    assert.isAbove(truth.buyer, 0)
    assert.isAbove(truth.platform, 0)
    await assertEqual(truth)
    const preview = await readPreview(partnerId)
    assert.deepEqual(preview!.openCases.exposure, truth)

    const [late] = await rows(
      `SELECT id, version, buyer_tenge::int AS tenge FROM settlement_cases
        WHERE partner_id = ? AND gone_at IS NULL AND buyer_tenge > 0 ORDER BY id`,
      partnerId
    )
    const change = { state: 'resolved', reason: 'Деньги вернули' } as const
    await new ChangeCase().handle({ caseId: late.id, version: late.version, change, actor: TESTER })
    const left = { ...truth, buyer: truth.buyer - late.tenge }
    await assertEqual(left)
    await new CheckPeriod().handle({ partnerId, from, to })
    await assertEqual(left)

    const server = await aMailServer()
    cleanup(() => server.close())
    mailTo(server.url)
    const contactId = await aContact(partner, { email: 'accountant@buyer.test' })
    const { statementId } = await issueFor(partner)
    await new QueueStatementMails().handle({ statementId, contactIds: [contactId], actor: TESTER })
    await performRuns(partner)
    await deliverMails()
    await deliverMails()
    const [mail] = server.arrived
    const sums = /под риском: у покупателей ([\d\s]+)₸, у платформы ([\d\s]+)₸\./.exec(mail.text)!
    const [buyer, platform] = sums.slice(1).map((text) => Number(text.replaceAll(/\s/g, '')))
    assert.deepEqual({ buyer, platform, partner: 0 }, left)
  }).timeout(180_000)
})
