import { moment, number, t } from '~/texts/texts'

/** What keeps somebody from signing in now, though they may (`app/back_office/staff/list_staff.ts`). */
export interface SignInState {
  failures: number
  networks: number
  blockedUntil: string | null
  slowedUntil: string | null
  factorLockedAt: string | null
}

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
