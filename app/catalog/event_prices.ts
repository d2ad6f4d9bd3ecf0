import { CATEGORY_CODES, type CategoryCode } from '#catalog/event_status'
import type { FullyLocalizedText } from '#shared/localized_text'
import { closeSaleGate } from '#catalog/sale_gate'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

// prettier-ignore
export const CATEGORY_NAMES: Record<CategoryCode, FullyLocalizedText> = {
  standard:   { ru: 'Стандарт',       kk: 'Стандарт',   en: 'Standard' },
  vip:        { ru: 'VIP',            kk: 'VIP',        en: 'VIP' },
  fan:        { ru: 'Фан-зона',       kk: 'Фан-аймақ',  en: 'Fan zone' },
  invitation: { ru: 'Приглашение',    kk: 'Шақыру',     en: 'Invitation' },
  service:    { ru: 'Служебное',      kk: 'Қызметтік',  en: 'Service' },
}

const upsertPrice = statement<
  object,
  { eventId: string; code: string; categoryName: unknown; priceTenge: bigint | null }
>(
  'event_upsert_price',
  `INSERT INTO event_prices (event_id, category_code, category_name, price_tenge) VALUES (:eventId, :code, :categoryName, :priceTenge)
   ON CONFLICT (event_id, category_code) DO UPDATE SET price_tenge = EXCLUDED.price_tenge`
)
const applyCategoryPrices = statement<object, { eventId: string }>(
  'event_spread_prices',
  `WITH due AS MATERIALIZED (
     SELECT s.id, p.price_tenge FROM event_seats s JOIN event_prices p USING (event_id, category_code)
      WHERE s.event_id = :eventId AND NOT s.has_own_price AND s.price_tenge IS DISTINCT FROM p.price_tenge
      ORDER BY s.id FOR NO KEY UPDATE OF s)
   UPDATE event_seats s SET price_tenge = due.price_tenge FROM due WHERE s.id = due.id`
)
const priceSeats = statement<
  object,
  { eventId: string; spaceIds: string[]; priceTenge: bigint | null }
>(
  'event_price_seats',
  `UPDATE event_seats SET price_tenge = :priceTenge, has_own_price = true WHERE event_id = :eventId AND space_id = ANY(:spaceIds::text[])`
)
const storeLowestPrice = statement<{ price_from_tenge: bigint | null }, { eventId: string }>(
  'event_store_price_from',
  `UPDATE events SET price_from_tenge = cheapest.price, updated_at = clock_timestamp()
     FROM (SELECT min(price_tenge) AS price FROM event_seats WHERE event_id = :eventId) cheapest
    WHERE id = :eventId AND price_from_tenge IS DISTINCT FROM cheapest.price
   RETURNING price_from_tenge`
)

/**
 * Sets prices by category, in whole tenge; seats with an individual price keep it, and so do bookings that exist
 * (contract, POST /bookings). Returns the event's lowest price if it has changed; the event is updated only then.
 */
export async function setPrices(
  eventId: string,
  prices: Partial<Record<CategoryCode, bigint | null>>,
  trx: TransactionClientContract
) {
  await closeSaleGate(eventId, trx)
  for (const code of CATEGORY_CODES) {
    await upsertPrice(
      { eventId, code, categoryName: CATEGORY_NAMES[code], priceTenge: prices[code] ?? null },
      trx
    )
  }
  await applyCategoryPrices({ eventId }, trx)
  return storeLowestPrice.first({ eventId }, trx)
}

/** Sets an individual price of the listed seats, in whole tenge; null takes them off sale. */
export async function setSeatPrices(
  eventId: string,
  spaceIds: string[],
  priceTenge: bigint | null,
  trx: TransactionClientContract
) {
  await closeSaleGate(eventId, trx)
  await priceSeats({ eventId, spaceIds, priceTenge }, trx)
  await storeLowestPrice({ eventId }, trx)
}
