/**
 * Tells one edition of an event's texts, limits and prices from another: a form sends back the edition that it was made
 * from. Its status and times are not in it: who corrects a text need not care that sales were paused meanwhile.
 * Alias: events e.
 */
export const EVENT_EDITION = `md5(jsonb_build_array(e.title, e.description, e.event_type, e.age_rating, e.max_seats_per_booking,
  (SELECT jsonb_object_agg(category_code, price_tenge) FROM event_prices WHERE event_id = e.id))::text)`
