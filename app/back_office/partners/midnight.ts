/** SQL for the last midnight in the venues' time zone (contract, Conventions). */
export const MIDNIGHT = `date_trunc('day', now() AT TIME ZONE interval '5 hours') AT TIME ZONE interval '5 hours'`
