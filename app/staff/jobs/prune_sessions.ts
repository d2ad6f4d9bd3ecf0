import { statement } from '#shared/statement'

const prune = statement(
  'staff_sessions_prune',
  `DELETE FROM staff_sessions WHERE coalesce(ended_at, last_seen_at) < now() - interval '90 days'`
)

/** Forgets where people were signed in 90 days ago; the journal keeps that they were. */
export default async function pruneSessions(): Promise<void> {
  await prune({})
}
