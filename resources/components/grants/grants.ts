import type { LocalizedText } from '~/texts/texts'

export interface GrantEvent {
  id: string
  title: LocalizedText
  startsAt: string
  status: string
  isOver: boolean
}
export interface GrantPartner {
  id: number
  code: string
  name: string
  status: 'active' | 'suspended'
}
/** A grant, or what stands where there is none. */
export interface Grant {
  partnerId: number
  eventId: string
  access: 'active' | 'revoked' | 'none'
  pendingOrders: number
  lastWindowEndsAt: string | null
  bookings: number
}
export interface Cell {
  event: GrantEvent
  partner: GrantPartner
  grant: Grant
}

export const keyOf = (partnerId: number, eventId: string) => `${partnerId}:${eventId}`
