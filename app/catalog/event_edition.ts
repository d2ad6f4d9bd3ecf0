/**
 * SQL of the event's version for optimistic locking: a hash of its texts, seat limit and prices. Status and times are not
 * in it, so that a text can be corrected although sales were paused meanwhile. Alias: events e.
 */
export const EVENT_EDITION = `md5(jsonb_build_array(e.title, e.description, e.event_type, e.age_rating, e.max_seats_per_booking,
  (SELECT jsonb_object_agg(category_code, price_tenge) FROM event_prices WHERE event_id = e.id))::text)`
