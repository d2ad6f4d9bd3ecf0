import { EXPOSED_PARTIES, type ExposedParty } from '#defects/facts/exposure'

/**
 * The one definition of open exposure: the money at risk in cases that are neither ended nor gone. Every list, page, sum and
 * workbook takes its SQL from here.
 *
 * Example: cases of buyer 12,000 (open), buyer 5,000 with platform 9,000 (in work) and buyer 7,000 (resolved).
 * Open exposure: buyer 17,000, platform 9,000, partner 0.
 */

/** Worded like the condition of its indexes, so that PostgreSQL uses them. */
export const isOpenCase = (c: string) =>
  `${c}.gone_at IS NULL AND ${c}.state IN ('open', 'in_work', 'with_partner')`

/** A party's open exposure in a case: 0 once the case ended or is gone. */
export const openExposure = (c: string, party: ExposedParty) =>
  `CASE WHEN ${isOpenCase(c)} THEN ${c}.${party}_tenge ELSE 0 END`

/** All parties' money in a case, ended or not; worded like its indexes. */
export const moneyOfCase = (c: string) =>
  `(${c}.buyer_tenge + ${c}.platform_tenge + ${c}.partner_tenge)`

/** A case's exposure as an object for pages. */
export const exposureOf = (c: string) => exposureObject((party) => `${c}.${party}_tenge`)

/** The open exposure of a group of cases as an object for pages. */
export const sumOfOpenExposure = (c: string) =>
  exposureObject((party) => `coalesce(sum(${openExposure(c, party)}), 0)`)

const exposureObject = (tengeOf: (party: ExposedParty) => string) =>
  `json_build_object(${EXPOSED_PARTIES.map((party) => `'${party}', ${tengeOf(party)}`).join(', ')})`
