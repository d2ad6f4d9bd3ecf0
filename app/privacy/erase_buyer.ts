import { BATCH_SIZE, eraseBatch, type Batch } from '#privacy/erase_batch'
import { eraseSearchesFor, type ErasedBuyer } from '#privacy/erase_traces'
import { findBuyer, type BuyerSearch, type FoundBuyer } from '#privacy/find_buyer'
import type { Customer } from '#sales/customer'
import type { Actor } from '#shared/actor'
import { actorParams, journalEntry, record, type ActorParams } from '#shared/journal'
import { allowLongQueries } from '#shared/long_queries'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface EraseBuyerInput extends BuyerSearch {
  reason: string
  actor: Actor
  /** Refused with TOO_MANY_ORDERS above it: an e-mail with so many orders is hardly one person's. */
  most: number
}

const recordErasures = statement<
  object,
  ActorParams & { erased: string; customers: string; foundBy: string; reason: string }
>(
  'privacy_record_erasures',
  `WITH erased AS (
     SELECT * FROM jsonb_to_recordset(:erased::jsonb)
       AS erased ("orderId" text, "bookingId" text, "partnerId" integer, "eventId" text))
   ${journalEntry('buyer_erased', {
     from: 'erased',
     by: 'actor',
     partnerId: '"partnerId"',
     eventId: '"eventId"',
     bookingId: '"bookingId"',
     orderId: '"orderId"',
     details: {
       found_by: ':foundBy::text',
       reason:
         'without_buyers(:reason::text, ARRAY(SELECT jsonb_array_elements(:customers::jsonb)))',
     },
   })}`
)
const eraseFromAllRows = statement<{ rows: number }, { emails: string[] }>(
  'privacy_erase_all_register_rows',
  `WITH erased AS (
     UPDATE partner_register_rows SET email = NULL, raw = NULL WHERE email = ANY (:emails::text[]) RETURNING 1)
   SELECT count(*)::int AS rows FROM erased`
)
// The rows of a preview are there to choose columns by; opening the sheet again makes another.
const eraseFromPreviews = statement<object, { customers: string }>(
  'privacy_erase_previews',
  `WITH buyers AS (SELECT ARRAY(SELECT jsonb_array_elements(:customers::jsonb)) AS customers)
   UPDATE partner_registers SET preview = jsonb_set(preview, '{rows}', '[]'), control = control - 'skippedTexts'
     FROM buyers WHERE without_buyers(preview ->> 'rows', customers) <> preview ->> 'rows'
                    OR without_buyers(control ->> 'skippedTexts', customers) <> control ->> 'skippedTexts'`
)
const withoutBuyers = statement<{ words: string }, { words: string; customers: string }>(
  'privacy_without_buyers',
  'SELECT without_buyers(:words, ARRAY(SELECT jsonb_array_elements(:customers::jsonb))) AS words'
)

/**
 * Erases a buyer on request: replaces name, e-mail and phone by pseudonyms, for ever. Money, tickets and statements stay as they
 * are. What is still being bought is left alone. A repeat erases the rest and changes nothing else.
 */
export default class EraseBuyer {
  async handle({ most, reason, actor, ...search }: EraseBuyerInput) {
    const found = await findBuyer(search, most + 1)
    if (Math.max(found.orderIds.length, found.bookingIds.length) > most)
      refuse('TOO_MANY_ORDERS', { limit: most })
    const customers = [...found.customers, ...customerOf(search)]
    // First: once the orders are erased, a repeat no longer knows whom to look for.
    const rows = await this.#eraseFromRegisters(customers)
    const request = { foundBy: search.foundBy, reason, actor }
    const erased = { orders: 0, bookings: 0, rows, stillBuying: found.stillBuying.length }
    for (const batch of batchesOf(found)) {
      const { orders, bookings } = await transaction((trx) =>
        this.#eraseAndRecord(batch, request, customers, trx)
      )
      erased.orders += orders.length
      erased.bookings += bookings.length
    }
    if (erased.orders + erased.bookings === 0 && rows > 0)
      await this.#recordWithoutOrder(request, customers)
    return erased
  }

  #eraseFromRegisters(customers: Customer[]) {
    if (customers.length === 0) return 0
    const emails = customers.flatMap(({ email }) => (email ? [email.toLowerCase()] : []))
    return transaction(async (trx) => {
      await eraseSearchesFor(customers, trx)
      await allowLongQueries(trx)
      await eraseFromPreviews({ customers: JSON.stringify(customers) }, trx)
      const { rows } = await eraseFromAllRows.one({ emails }, trx)
      return rows
    })
  }

  async #eraseAndRecord(
    batch: Batch,
    { foundBy, reason, actor }: Request,
    customers: Customer[],
    trx: TransactionClientContract
  ) {
    const { orders, bookings } = await eraseBatch(batch, trx)
    await recordErasures(
      {
        ...actorParams(actor),
        erased: JSON.stringify(subjectsOf(orders, bookings)),
        customers: JSON.stringify(customers),
        foundBy,
        reason,
      },
      trx
    )
    return { orders, bookings }
  }

  async #recordWithoutOrder({ foundBy, reason, actor }: Request, customers: Customer[]) {
    await transaction(async (trx) => {
      const given = { words: reason, customers: JSON.stringify(customers) }
      const { words } = await withoutBuyers.one(given, trx)
      await record('buyer_erased', { found_by: foundBy, reason: words }, { actor }, trx)
    })
  }
}

type Request = Pick<EraseBuyerInput, 'foundBy' | 'reason' | 'actor'>

/** A person may be named in a register, or have been searched for, without any order of ours. */
function customerOf({ foundBy, text }: BuyerSearch): Customer[] {
  if (foundBy === 'order') return []
  return [foundBy === 'email' ? { email: text } : { phone: text }]
}

function* batchesOf({ orderIds, bookingIds }: FoundBuyer): Generator<Batch> {
  for (let at = 0; at < orderIds.length; at += BATCH_SIZE)
    yield { orderIds: orderIds.slice(at, at + BATCH_SIZE), bookingIds: [] }
  for (let at = 0; at < bookingIds.length; at += BATCH_SIZE)
    yield { orderIds: [], bookingIds: bookingIds.slice(at, at + BATCH_SIZE) }
}

/** One entry each: a booking that was erased with its order needs none of its own. */
function subjectsOf(orders: ErasedBuyer[], bookings: ErasedBuyer[]) {
  const erased = new Set(orders.map(({ bookingId }) => bookingId))
  const alone = bookings.filter(({ bookingId }) => !erased.has(bookingId))
  return [...orders, ...alone].map(({ orderId, bookingId, partnerId, eventId }) => ({
    orderId,
    bookingId,
    partnerId,
    eventId,
  }))
}
