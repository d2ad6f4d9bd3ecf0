import { INVARIANT_NAMES } from '../../app/invariants/invariant_names.ts'
import { poll } from '../poll.ts'
import { type Observation, seen } from './drill_report.ts'
import { query } from './query.ts'

const ASK = `
  INSERT INTO invariant_states (invariant, run_asked_at, run_asked_by)
  SELECT name, clock_timestamp(), 'drill' FROM unnest($1::text[]) AS name
  ON CONFLICT (invariant) DO UPDATE SET run_asked_at = excluded.run_asked_at, run_asked_by = excluded.run_asked_by`

/** Each invariant that a worker has run since the given moment, in full, and how its last run ended. */
const RUNS = `
  SELECT DISTINCT ON (invariant) invariant, state, coalesce(found, 0)::int AS found FROM invariant_runs
   WHERE started_at > $1 AND ended_at IS NOT NULL AND since IS NULL
   ORDER BY invariant, started_at DESC`

export interface EndedRun {
  invariant: string
  state: string
  found: number
}

/** Has the worker of a database run every invariant in full, and waits for what it finds. */
export async function checkInvariants(databaseUrl: string, withinMs: number): Promise<Observation> {
  const [{ now }] = await query<{ now: Date }>(databaseUrl, 'SELECT clock_timestamp() AS now')
  await query(databaseUrl, ASK, [INVARIANT_NAMES])
  const endedRuns = () => query<EndedRun>(databaseUrl, RUNS, [now])
  const areAllRun = async () => missingOf(await endedRuns()).length === 0
  await poll(areAllRun, { withinMs, everyMs: 500 })
  return judgeRuns(await endedRuns())
}

/** Every invariant of the code must have run, whatever the worker knows of. */
export function judgeRuns(ended: EndedRun[]): Observation {
  const bad = ended.filter(({ state }) => state !== 'green')
  const missing = missingOf(ended)
  const text = `${ended.length - bad.length} of ${INVARIANT_NAMES.length} green`
  const words = [
    ...bad.map(({ invariant, state, found }) => `${invariant} ${state} (${found})`),
    ...missing.map((invariant) => `${invariant} not run`),
  ]
  return seen([text, ...words].join(', '), words.length === 0)
}

const missingOf = (ended: EndedRun[]) =>
  INVARIANT_NAMES.filter((name) => !ended.some(({ invariant }) => invariant === name))
