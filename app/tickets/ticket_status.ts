import type { Transitions } from '#shared/transitions'

export type TicketStatus = 'active' | 'used' | 'void' | 'expired'
export type TicketTrigger = 'admit' | 'admitOffline' | 'void' | 'voidUsed' | 'outlive'
export type VoidCause = 'refund' | 'event_cancelled' | 'platform'

/**
 * Contract, Ticket; completions, States the contract leaves open. Nothing leaves void.
 * `voidUsed`: its event is cancelled, and the partner's terms take used tickets back.
 * `admitOffline`: a phone without network let the guest in before the event's end, and reports it later.
 */
export const TICKET_TRANSITIONS: Transitions<TicketStatus, TicketTrigger> = {
  active: { admit: 'used', admitOffline: 'used', void: 'void', outlive: 'expired' },
  used: { voidUsed: 'void' },
  void: {},
  expired: { admitOffline: 'used' },
}

/** SQL of a ticket's status; an active ticket of a past event is expired. Aliases: tickets t, events e. */
export const TICKET_STATUS = `
  CASE WHEN t.status = 'active' AND e.ends_at <= now() THEN 'expired' ELSE t.status END`
