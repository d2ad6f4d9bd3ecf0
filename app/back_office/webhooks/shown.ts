/** How an endpoint `w` does; one that was never tried, or not since its address was set, isn't said to work. */
export const ENDPOINT_HEALTH = `CASE WHEN w.status = 'disabled' THEN 'disabled' WHEN w.failing_since IS NOT NULL THEN 'failing'
       WHEN w.last_success_at > w.updated_at THEN 'well' ELSE 'untried' END`

/** Of a delivery `d`: it has failed, and waits to be tried again by itself. */
export const IS_RETRYING = `(d.status = 'pending' AND d.attempts > d.attempts_before
       AND (d.locked_until IS NULL OR d.locked_until <= now()))`

export const DELIVERY_STATUS = `CASE WHEN ${IS_RETRYING} THEN 'retrying' ELSE d.status END`
