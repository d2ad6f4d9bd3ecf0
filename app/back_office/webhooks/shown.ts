/** SQL for the health of endpoint `w`; `untried` until a delivery succeeds after its address was set. */
export const ENDPOINT_HEALTH = `CASE WHEN w.status = 'disabled' THEN 'disabled' WHEN w.failing_since IS NOT NULL THEN 'failing'
       WHEN w.last_success_at > w.updated_at THEN 'well' ELSE 'untried' END`

/** SQL condition on delivery `d`: it has failed and waits for its next automatic attempt. */
export const IS_RETRYING = `(d.status = 'pending' AND d.attempts > d.attempts_before
       AND (d.locked_until IS NULL OR d.locked_until <= now()))`

export const DELIVERY_STATUS = `CASE WHEN ${IS_RETRYING} THEN 'retrying' ELSE d.status END`
