import type { Customer } from '#sales/customer'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The buyer of an order or booking, as it was before. */
export interface ErasedBuyer {
  orderId: string | null
  bookingId: string
  partnerId: number
  eventId: string
  customer: Customer
}

/**
 * Where else a buyer may be named, apart from orders and bookings: docs/privacy.md has the whole list, and what stays.
 *
 *     journal    {"reason": "aida@mail.kz asked for it"}   →  {"reason": "[erased] asked for it"}
 *     confirm    method "card of +7 701 555 01 42"          →  "card of [erased]"
 *     register   e-mail aida@mail.kz in line 17             →  no e-mail
 */
const GONE = `gone AS MATERIALIZED (
  SELECT "orderId" AS order_id, "bookingId" AS booking_id, "partnerId" AS partner_id, customer
    FROM jsonb_to_recordset(:gone::jsonb) AS gone ("orderId" text, "bookingId" text, "partnerId" integer, customer jsonb))`

type Gone = { gone: string }

const CASES_OF_GONE = `gone g JOIN settlement_cases c ON c.order_ids @> ARRAY[g.order_id]`
const MATCHES_OF_GONE = `gone g JOIN partner_register_case_orders l ON l.order_id = g.order_id`

const eraseFromJournal = statement<object, Gone>(
  'privacy_erase_journal',
  `WITH ${GONE},
   named AS (
     SELECT j.id, j.at, g.customer FROM gone g JOIN journal j ON j.order_id = g.order_id
     UNION SELECT j.id, j.at, g.customer FROM gone g JOIN journal j ON j.booking_id = g.booking_id AND j.order_id IS NULL
     UNION SELECT j.id, j.at, g.customer FROM ${CASES_OF_GONE}
             JOIN journal j ON j.name IN ('case_changed', 'case_answered') AND j.change ->> 'case_id' = c.id::text),
   entries AS MATERIALIZED (SELECT id, at, array_agg(customer) AS customers FROM named GROUP BY id, at)
   UPDATE journal j SET change = details_without_buyers(j.change, e.customers)
     FROM entries e WHERE j.id = e.id AND j.at = e.at AND details_without_buyers(j.change, e.customers) <> j.change`
)

// Somebody exported the orders that a search for the buyer found; the search is in the entry. Words match as in the search of
// orders; other lists are searched for the names of other things.
const IS_NAMED = `(
  SELECT coalesce(bool_and(EXISTS (
           SELECT FROM unnest(tsvector_to_array(to_tsvector('simple', g.customer ->> 'name'))) word_of_name
            WHERE starts_with(word_of_name, typed))), false)
    FROM unnest(tsvector_to_array(to_tsvector('simple', translate(j.change #>> '{filters,q}', '-./', '   ')))) typed)`
const eraseSearches = statement<object, Gone>(
  'privacy_erase_searches',
  `WITH ${GONE}
   UPDATE journal j SET change = jsonb_set(j.change, '{filters,q}', '"[erased]"')
    WHERE j.name = 'list_exported' AND length(j.change #>> '{filters,q}') >= 3 AND EXISTS (
      SELECT FROM gone g
       WHERE starts_with(lower(g.customer ->> 'email'), lower(j.change #>> '{filters,q}'))
          OR buyer_phone(g.customer) = buyer_phone(jsonb_build_object('phone', j.change #>> '{filters,q}'))
          OR (j.change ->> 'list' = 'orders' AND ${IS_NAMED}))`
)

// Amount, moment and payment id of an attempt are evidence in workbooks, and stay.
const eraseFromAttempts = statement<object, Gone>(
  'privacy_erase_attempts',
  `WITH ${GONE},
   named AS MATERIALIZED (SELECT order_id, array_agg(customer) AS customers FROM gone WHERE order_id IS NOT NULL GROUP BY order_id)
   UPDATE confirm_attempts a
      SET amount_raw = without_buyers(a.amount_raw, n.customers), currency = without_buyers(a.currency, n.customers),
          method = without_buyers(a.method, n.customers)
     FROM named n
    WHERE a.order_id_sent = n.order_id
      AND (without_buyers(a.amount_raw, n.customers) <> a.amount_raw OR without_buyers(a.currency, n.customers) <> a.currency
           OR without_buyers(a.method, n.customers) <> a.method)`
)

// What a partner's endpoint answered may be anything.
const eraseWebhookResponses = statement<object, Gone>(
  'privacy_erase_webhook_responses',
  `WITH ${GONE},
   entries AS (
     SELECT j.id, g.partner_id FROM gone g JOIN journal j ON j.order_id = g.order_id
     UNION SELECT j.id, g.partner_id FROM gone g JOIN journal j ON j.booking_id = g.booking_id AND j.order_id IS NULL)
   UPDATE webhook_attempts a SET response = '[erased]'
     FROM entries e JOIN webhook_endpoints p ON p.partner_id = e.partner_id
     JOIN webhook_deliveries d ON d.endpoint_id = p.id AND d.journal_id = e.id
    WHERE a.delivery_id = d.id AND a.response <> '[erased]'`
)

const eraseFromCaseNotes = statement<object, Gone>(
  'privacy_erase_case_notes',
  `WITH ${GONE},
   named AS MATERIALIZED (SELECT c.id, array_agg(g.customer) AS customers FROM ${CASES_OF_GONE} GROUP BY c.id)
   UPDATE settlement_case_notes n SET text = without_buyers(n.text, named.customers)
     FROM named WHERE n.case_id = named.id AND without_buyers(n.text, named.customers) <> n.text`
)

const eraseFromOutcomes = statement<object, Gone>(
  'privacy_erase_case_outcomes',
  `WITH ${GONE},
   named AS MATERIALIZED (SELECT c.id, array_agg(g.customer) AS customers FROM ${CASES_OF_GONE} GROUP BY c.id)
   UPDATE settlement_cases c SET resolution = without_buyers(c.resolution, named.customers)
     FROM named WHERE c.id = named.id AND without_buyers(c.resolution, named.customers) <> c.resolution`
)

const eraseFromMatchNotes = statement<object, Gone>(
  'privacy_erase_match_notes',
  `WITH ${GONE},
   named AS MATERIALIZED (SELECT l.case_id, array_agg(g.customer) AS customers FROM ${MATCHES_OF_GONE} GROUP BY l.case_id)
   UPDATE partner_register_cases c SET note = without_buyers(c.note, named.customers)
     FROM named WHERE c.id = named.case_id AND without_buyers(c.note, named.customers) <> c.note`
)

// A row that was matched with this order alone is about its buyer, whatever e-mail it has.
const eraseFromRegisterRows = statement<object, Gone>(
  'privacy_erase_register_rows',
  `WITH ${GONE},
   named AS MATERIALIZED (
     SELECT l.case_id, array_agg(lower(g.customer ->> 'email')) AS emails,
            (SELECT count(*) FROM partner_register_case_orders WHERE case_id = l.case_id) = 1 AS is_alone
       FROM ${MATCHES_OF_GONE} GROUP BY l.case_id)
   UPDATE partner_register_rows r SET email = NULL, raw = NULL
     FROM named JOIN partner_register_case_rows w ON w.case_id = named.case_id
    WHERE r.register_id = w.register_id AND r.line = w.line AND num_nonnulls(r.email, r.raw) > 0
      AND (named.is_alone OR r.email = ANY (named.emails))`
)

const ERASURES = [
  eraseFromJournal,
  eraseSearches,
  eraseFromAttempts,
  eraseWebhookResponses,
  eraseFromCaseNotes,
  eraseFromOutcomes,
  eraseFromMatchNotes,
  eraseFromRegisterRows,
]

/** Erases who was searched for; also for a person without an order. */
export const eraseSearchesFor = (customers: Customer[], trx: TransactionClientContract) =>
  eraseSearches({ gone: JSON.stringify(customers.map((customer) => ({ customer }))) }, trx)

/** Erases what was copied from the buyers of orders and bookings; those must have their pseudonyms already. */
export async function eraseTraces(erased: ErasedBuyer[], trx: TransactionClientContract) {
  const gone = JSON.stringify(erased)
  for (const erase of ERASURES) await erase({ gone }, trx)
}
