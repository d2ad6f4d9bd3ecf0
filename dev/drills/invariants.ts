import { poll } from '../poll.ts'
import { type Observation, seen } from './drill_report.ts'
import { query } from './query.ts'

const ASK = `
  INSERT INTO invariant_states (invariant, run_asked_at, run_asked_by)
  SELECT invariant, clock_timestamp(), 'drill' FROM invariant_runs GROUP BY invariant
  ON CONFLICT (invariant) DO UPDATE SET run_asked_at = excluded.run_asked_at, run_asked_by = excluded.run_asked_by`

/** Each invariant that a worker has run since the given moment, in full, and how its last run ended. */
const RUNS = `
  SELECT DISTINCT ON (invariant) invariant, state, coalesce(found, 0)::int AS found FROM invariant_runs
   WHERE started_at > $1 AND ended_at IS NOT NULL AND since IS NULL
   ORDER BY invariant, started_at DESC`

const KNOWN = 'SELECT count(DISTINCT invariant)::int AS known FROM invariant_runs'

/** Has the worker of a database run every invariant in full, and waits for what it finds. */
export async function checkInvariants(databaseUrl: string, withinMs: number): Promise<Observation> {
  const known = async () => (await query<{ known: number }>(databaseUrl, KNOWN))[0].known
  // The worker of a fresh database has to name them first.
  let before = -1
  await poll(
    async () => {
      const now = await known()
      const isSettled = now > 0 && now === before
      before = now
      return isSettled
    },
    { withinMs, everyMs: 5_000 }
  )
  const [{ now }] = await query<{ now: Date }>(databaseUrl, 'SELECT clock_timestamp() AS now')
  await query(databaseUrl, ASK)
  const wanted = await known()
  const runs = () =>
    query<{ invariant: string; state: string; found: number }>(databaseUrl, RUNS, [now])
  const isDone = await poll(async () => (await runs()).length === wanted, {
    withinMs,
    everyMs: 500,
  })
  const ended = await runs()
  const bad = ended.filter(({ state }) => state !== 'green')
  const words = bad.map(({ invariant, state, found }) => `${invariant} ${state} (${found})`)
  const text = `${ended.length - bad.length} of ${wanted} green`
  return seen([text, ...words].join(', '), isDone && wanted > 0 && bad.length === 0)
}
