import type { Grant, GrantEvent, GrantPartner } from '#back_office/grants/grants_props'

/** A grant, or what stands in a cell without one. */
export type GrantState = Omit<Grant, 'access' | 'changedAt'> & { access: Grant['access'] | 'none' }

export interface Cell {
  event: GrantEvent
  partner: GrantPartner
  grant: GrantState
}

export const keyOf = (partnerId: number, eventId: string) => `${partnerId}:${eventId}`
