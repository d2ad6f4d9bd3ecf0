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
  | 'lookAgain'
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
  uploaded:  { lookAgain: 'uploaded', map: 'mapped', setSource: 'uploaded', changeParts: 'uploaded', drop: 'dropped' },
  mapped:    { lookAgain: 'uploaded', map: 'mapped', setSource: 'mapped', changeParts: 'mapped', read: 'read', drop: 'dropped' },
  read:      { lookAgain: 'uploaded', map: 'mapped', setSource: 'mapped', changeParts: 'mapped', read: 'read', match: 'matched', drop: 'dropped' },
  matched:   { lookAgain: 'uploaded', map: 'mapped', setSource: 'mapped', changeParts: 'mapped', read: 'read', match: 'matched', confirm: 'confirmed', drop: 'dropped' },
  confirmed: { replace: 'replaced', drop: 'dropped' },
  replaced:  { drop: 'dropped' },
  dropped:   {},
}
