/** Days begin at midnight of the venues (contract, Conventions). */
export const MIDNIGHT = `date_trunc('day', now() AT TIME ZONE interval '5 hours') AT TIME ZONE interval '5 hours'`
