import type { Language } from '~/texts/texts'

/** Somebody of a partner who gets its statements. */
export interface Contact {
  id: number
  email: string
  language: Language
  getsStatements: boolean
}

/** A statement on its way to somebody, or what came of it. */
export interface Mail {
  id: number
  recipient: string
  language: string
  state: string
  attempts: number
  queuedAt: string
  nextAt: string
  sentAt: string | null
  endedAt: string | null
  failure: string | null
  failureWords: string | null
  hasFile: boolean
  askedBy: string
  runId: number
}

export const isOnItsWay = ({ state }: Mail) => state === 'queued' || state === 'sending'
