import type { Transitions } from '#shared/transitions'

export const EVENT_STATUSES = [
  'sales_scheduled',
  'sales_open',
  'sales_paused',
  'sales_closed',
  'cancelled',
] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]
export type EventTrigger = 'open' | 'pause' | 'close' | 'cancel'

/** Completions, States the contract leaves open. Closed sales reopen only before the event starts. */
// prettier-ignore
export const EVENT_TRANSITIONS: Transitions<EventStatus, EventTrigger> = {
  sales_scheduled: { open: 'sales_open',                        close: 'sales_closed', cancel: 'cancelled' },
  sales_open:      {                     pause: 'sales_paused', close: 'sales_closed', cancel: 'cancelled' },
  sales_paused:    { open: 'sales_open',                        close: 'sales_closed', cancel: 'cancelled' },
  sales_closed:    { open: 'sales_open',                                               cancel: 'cancelled' },
  cancelled:       {},
}

export const EVENT_TYPES = [
  'concert',
  'sport',
  'theatre',
  'exhibition',
  'conference',
  'festival',
  'kids',
  'other',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const AGE_RATINGS = ['0+', '6+', '12+', '16+', '18+', '21+'] as const
export type AgeRating = (typeof AGE_RATINGS)[number]

export const CATEGORY_CODES = ['standard', 'vip', 'fan', 'invitation', 'service'] as const
export type CategoryCode = (typeof CATEGORY_CODES)[number]
