/**
 * Whether the amount of a confirm is in another currency, so that it is no sum in tenge; SQL about its column. A confirm without a
 * currency is in tenge, and how KZT is spelt does not matter.
 */
export const isInOtherCurrencySql = (currency: string) =>
  `upper(trim(coalesce(${currency}, 'KZT'))) <> 'KZT'`
