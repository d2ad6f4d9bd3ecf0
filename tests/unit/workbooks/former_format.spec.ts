import { FORMER_SHEETS } from '#returned_workbooks/check/former_format'
import { valueColumns } from '#workbooks/sheets/sheet'
import { test } from '@japa/runner'

/** The columns of format 3 in its order, which the hashes of its sheets depend on. */
// prettier-ignore
const COLUMNS: Record<string, string> = {
  movements:
    'no kind effectiveAt orderId partnerOrderId eventTitle tickets amount rate originPeriod isLate codes ' +
    'paymentId eventId eventDate originStatement originLine note',
  orders:
    'no orderId partnerOrderId status eventTitle paidAt tickets sold returned commission vat payable ' +
    'paidBeforeCreated expiredAttempts caseId createdAt net total paidAmount difference windowEndsAt paidAtRaw ' +
    'confirmedAt paidMinusCreated confirmMinusPaid currency method paymentId paidBeforeCreatedClass otherCodes ' +
    'statement',
  tickets:
    'no ticketNumber orderId partnerOrderId eventTitle sector row seat category status price sold returned ' +
    'cause voidedAt usedAt gate ticketId',
  attempts:
    'no caseId orderId receivedAt httpStatus code windowEndsAt lateBy paidAt paidAmount total paymentId ' +
    'clockOffset paidAtRaw timestampSent requestId',
  returns:
    'no ticketNumber orderId partnerOrderId eventTitle kind voidedAt voidedBy reason amount commissionBack ' +
    'vatBack soldAt originStatement paymentId usedAt',
  events:
    'no eventTitle eventDate eventStatus ordersSold ticketsSold ticketsReturned sold returned net commission ' +
    'vat payable defects eventId',
  adjustments:
    'no document kind effectiveAt amount reason originStatement originLine askedBy decidedBy decidedAt',
  register:
    'no registerFile fileLine partnerOrderId paymentId registerAmount ourOrder ourAmount difference status ' +
    'category matchStep candidates decision',
}

test.group('Workbooks of format 3', () => {
  for (const sheet of FORMER_SHEETS.filter(({ key }) => key !== 'defects'))
    test(`${sheet.key} has its columns in the order of then`, ({ assert }) => {
      const keys = valueColumns(sheet).map(({ key }) => key)
      assert.equal(keys.join(' '), COLUMNS[sheet.key])
    })
})
