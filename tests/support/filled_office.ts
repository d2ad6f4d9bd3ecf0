import { HoldForStorefront } from '#inventory/actions/storefront'
import RecordPayment from '#ledger/actions/record_payment'
import { localDay } from '#shared/days'
import { lateCase } from '#tests/support/cases'
import { aPerson, sell, TESTER } from '#tests/support/fixtures'
import { aContact, issueFor } from '#tests/support/mails'
import { addFile, fileOf, lineOf, matchedRegister, midnight } from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { askFor, performRun } from '#tests/support/runs'
import { moveInTime, setTerms } from '#tests/support/settlement'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import SetEndpoint from '#webhooks/actions/set_endpoint'

/** One of everything that a page or a form of the back office can name, all of one partner and its event. */
export async function aFilledOffice() {
  const { partner, client, event, caseId } = await lateCase()
  await setTerms(partner)
  const order = await sell(client, event.id, ['seat-1-1'])
  await moveInTime(partner, '-45 days')
  const { statementId } = await issueFor(partner)
  await new RecordPayment().handle({
    partnerCode: partner.code,
    bankReference: partner.code,
    paidOn: localDay(new Date()),
    direction: 'from_partner',
    amountTenge: 1_000n,
    parts: [{ statementId, amountTenge: 1_000n }],
    actor: aPerson(),
  })
  await setTerms(partner, { validFrom: midnight(40), commissionBp: 800 })
  const second = await sell(client, event.id, ['seat-1-2'])
  const registerId = await matchedRegister(partner, fileOf(await lineOf(order.order_id)))
  await addFile(registerId, fileOf(await lineOf(second.order_id)))
  const days = { from: midnight(-60).toISOString(), to: midnight(1).toISOString() }
  const { runId } = await askFor(partner, 'defect_list', { partnerCode: partner.code, ...days })
  await performRun(runId)
  const hold = { eventId: event.id, seats: ['seat-3-1'], holdSeconds: 600, actor: TESTER }
  const { cartId } = await new HoldForStorefront().handle(hold)
  const contactId = await aContact(partner, { email: `${partner.code}@partner.test` })
  await new SetEndpoint().handle({
    partnerCode: partner.code,
    url: 'http://127.0.0.1:9/',
    actor: TESTER,
  })
  const { webhookId } = await new PingEndpoint().handle({ partnerCode: partner.code })
  const idOf = async (sql: string) => {
    const { id } = await one(sql, partner.id)
    return String(id)
  }
  const { name: file } = await one('SELECT name FROM settlement_run_files WHERE run_id = ?', runId)
  return {
    partner,
    code: partner.code,
    event: event.id,
    cart: cartId,
    order: order.order_id as string,
    ticket: order.tickets[0].ticket_id as string,
    case: String(caseId),
    statement: String(statementId),
    register: String(registerId),
    run: String(runId),
    file: String(file),
    contact: contactId,
    webhookId,
    delivery: await idOf(
      `SELECT d.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.partner_id = ?`
    ),
    key: await idOf('SELECT api_key AS id FROM partner_keys WHERE partner_id = ?'),
    terms: await idOf(
      'SELECT id FROM settlement_terms WHERE partner_id = ? ORDER BY valid_from DESC LIMIT 1'
    ),
    allocation: await idOf('SELECT id FROM settlement_allocations WHERE partner_id = ? LIMIT 1'),
    item: await idOf(`SELECT debit AS id FROM settlement_allocations WHERE partner_id = ? LIMIT 1`),
  }
}

export type FilledOffice = Awaited<ReturnType<typeof aFilledOffice>>
