import { localDay } from '#shared/days'
import { refuseField } from '#shared/refusals'

const OLDEST_YEARS = 2
const LETTER_OR_DIGIT = /[0-9a-zа-яёәғқңөұүһі]/iu

/** Refuses the reference of a bank's document that has neither a letter nor a digit. */
export function assertReference(bankReference: string) {
  if (!LETTER_OR_DIGIT.test(bankReference))
    refuseField('bankReference', 'format', 'must have a letter or a digit')
}

/**
 * Refuses the day of a bank payment (`YYYY-MM-DD`) that is after today at the venues or more than two years ago.
 *
 * Example: today is 25 November 2026 at the venues.
 *   2026-11-26  refused    2026-11-25  accepted    2024-11-25  accepted    2024-11-24  refused
 */
export function assertPaymentDay(paidOn: string, now = new Date()) {
  const today = localDay(now)
  const [year, ...monthAndDay] = today.split('-')
  const oldest = [Number(year) - OLDEST_YEARS, ...monthAndDay].join('-')
  if (paidOn > today)
    refuseField('paidOn', 'not_future', 'must not be after today at the venues (UTC+5)')
  if (paidOn < oldest)
    refuseField('paidOn', 'recent', `must not be more than ${OLDEST_YEARS} years ago`)
}
