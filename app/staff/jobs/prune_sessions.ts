import { statement } from '#shared/statement'

const prune = statement(
  'staff_sessions_prune',
  `DELETE FROM staff_sessions WHERE coalesce(ended_at, last_seen_at) < now() - interval '90 days'`
)

/** Deletes sessions after 90 days; the journal keeps the sign-ins. */
export default async function pruneSessions(): Promise<void> {
  await prune({})
}
