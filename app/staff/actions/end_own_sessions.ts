import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import { endSessions } from '#staff/queries/staff_sessions'

export interface EndOwnSessionsInput {
  staffId: number
  /** One of them, or with null all others. */
  sessionId: string | null
  /** The session that asks goes on. */
  keep: string
  actor: Actor
}

/** Signs out elsewhere, at once. */
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
