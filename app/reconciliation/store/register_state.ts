import type { Transitions } from '#shared/transitions'

export const REGISTER_STATES = [
  'uploaded',
  'mapped',
  'read',
  'matched',
  'confirmed',
  'replaced',
  'dropped',
] as const
export type RegisterState = (typeof REGISTER_STATES)[number]
export type RegisterTrigger =
  | 'chooseSheet'
  | 'map'
  | 'setSource'
  | 'changeParts'
  | 'read'
  | 'match'
  | 'confirm'
  | 'replace'
  | 'drop'

/**
 * A register may be read and matched again any number of times until it is confirmed. It is read as its source is set up, so
 * that another source makes it unread.
 */
// prettier-ignore
export const REGISTER_TRANSITIONS: Transitions<RegisterState, RegisterTrigger> = {
  uploaded:  { chooseSheet: 'uploaded', map: 'mapped', setSource: 'uploaded', changeParts: 'uploaded', drop: 'dropped' },
  mapped:    { chooseSheet: 'uploaded', map: 'mapped', setSource: 'mapped', changeParts: 'mapped', read: 'read', drop: 'dropped' },
  read:      { chooseSheet: 'uploaded', map: 'mapped', setSource: 'mapped', changeParts: 'mapped', read: 'read', match: 'matched', drop: 'dropped' },
  matched:   { chooseSheet: 'uploaded', map: 'mapped', setSource: 'mapped', changeParts: 'mapped', read: 'read', match: 'matched', confirm: 'confirmed', drop: 'dropped' },
  confirmed: { replace: 'replaced', drop: 'dropped' },
  replaced:  { drop: 'dropped' },
  dropped:   {},
}

/** SQL: nothing of a register is read or matched any more. */
export const DISCARD_READING = `control = NULL, problem = NULL, totals = NULL, read_at = NULL, matched_at = NULL, version = version + 1`

/** SQL: a register with columns is to be read again. */
export const MAKE_UNREAD = `${DISCARD_READING}, state = CASE WHEN state = 'uploaded' THEN state ELSE 'mapped' END`
