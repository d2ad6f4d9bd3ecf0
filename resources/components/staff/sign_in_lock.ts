import type { SignInState } from '#back_office/staff/staff_props'
import { moment, number, t } from '~/texts/texts'

/** A line for each thing that keeps them out; none for most people. */
export function lockLines({
  failures,
  networks,
  blockedUntil,
  slowedUntil,
  factorLockedAt,
}: SignInState): string[] {
  const values = { failures: number(failures), networks: number(networks) }
  const lines = []
  if (factorLockedAt) lines.push(t('staff.factor_locked', { at: moment(factorLockedAt) }))
  if (slowedUntil) lines.push(t('staff.slowed_until', { ...values, until: moment(slowedUntil) }))
  else if (blockedUntil)
    lines.push(t('staff.blocked_until', { ...values, until: moment(blockedUntil) }))
  return lines
}
