import type { Transitions } from '#shared/transitions'

export const REGISTER_STATES = [
  'uploaded',
  'mapped',
  'read',
  'matched',
  'confirmed',
  'dropped',
] as const
export type RegisterState = (typeof REGISTER_STATES)[number]
export type RegisterTrigger = 'lookAgain' | 'map' | 'read' | 'match' | 'confirm' | 'drop'

/** A register may be read and matched again any number of times until it is confirmed. */
// prettier-ignore
export const REGISTER_TRANSITIONS: Transitions<RegisterState, RegisterTrigger> = {
  uploaded:  { lookAgain: 'uploaded', map: 'mapped', drop: 'dropped' },
  mapped:    { lookAgain: 'uploaded', map: 'mapped', read: 'read', drop: 'dropped' },
  read:      { lookAgain: 'uploaded', map: 'mapped', read: 'read', match: 'matched', drop: 'dropped' },
  matched:   { lookAgain: 'uploaded', map: 'mapped', read: 'read', match: 'matched', confirm: 'confirmed', drop: 'dropped' },
  confirmed: { drop: 'dropped' },
  dropped:   {},
}
