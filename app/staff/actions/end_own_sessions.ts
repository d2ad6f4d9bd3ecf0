import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import { endSessions } from '#staff/sessions'

export interface EndOwnSessionsInput {
  staffId: number
  /** The session to end; null for all others. */
  sessionId: string | null
  /** The session of this request, which stays signed in. */
  keep: string
  actor: Actor
}

/** Ends other sessions of the person at once; returns how many. */
export default class EndOwnSessions {
  async handle({ staffId, sessionId, keep, actor }: EndOwnSessionsInput): Promise<number> {
    return transaction(async (trx) => {
      const { length: sessions } = await endSessions(
        { id: staffId, sessionId, exceptSessionId: keep },
        trx
      )
      if (sessions > 0) await record('staff_sessions_ended', { sessions }, { actor }, trx)
      return sessions
    })
  }
}
