import type { Counterexample } from '#invariants/invariant'
import { INVARIANTS } from '#invariants/invariants'
import { INVARIANT_NAMES, type InvariantName } from '#invariants/invariant_names'
import { dueAt } from '#invariants/next_run'
import { MINUTE_MS } from '#shared/days'
import { statement } from '#shared/statement'

/** `old`: it should have run again, and has not. */
export type InvariantState = 'red' | 'failed' | 'old' | 'never' | 'green'

export interface InvariantRun {
  id: number
  state: 'green' | 'red' | 'failed'
  isFull: boolean
  askedBy: string | null
  endedAt: Date
  tookMs: number
  rowsLookedAt: number | null
  found: number | null
  failure: string | null
}

interface BoardRow {
  name: InvariantName
  now: Date
  redSince: Date | null
  runAskedBy: string | null
  isRunning: boolean
  /** Of the last run that came to a result. */
  asOf: Date | null
  found: number | null
  counterexamples: Counterexample[] | null
  /** The newest first. */
  runs: (Omit<InvariantRun, 'endedAt'> & { endedAt: string })[]
}

const MOST_RUNS = 20

const selectBoard = statement<BoardRow, { names: string[] }>(
  'invariant_board',
  `SELECT name, clock_timestamp() AS now, s.red_since AS "redSince", s.run_asked_by AS "runAskedBy",
          EXISTS (SELECT 1 FROM invariant_runs WHERE invariant = name AND state = 'running') AS "isRunning",
          result.as_of AS "asOf", result.found, result.counterexamples, coalesce(history.runs, '[]') AS runs
     FROM unnest(:names::text[]) WITH ORDINALITY AS names (name, place)
     LEFT JOIN invariant_states s ON s.invariant = name
     LEFT JOIN LATERAL (SELECT as_of, found, counterexamples FROM invariant_runs
                         WHERE invariant = name AND state IN ('green', 'red') ORDER BY id DESC LIMIT 1) result ON true
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_object(
                'id', id, 'state', state, 'isFull', since IS NULL, 'askedBy', asked_by, 'endedAt', ended_at, 'tookMs', took_ms,
                'rowsLookedAt', rows_looked_at, 'found', found, 'failure', failure) ORDER BY id DESC) AS runs
         FROM (SELECT * FROM invariant_runs
                WHERE invariant = name AND state <> 'running' ORDER BY id DESC LIMIT ${MOST_RUNS}) latest) history ON true
    ORDER BY place`
)

export interface BoardLine extends Omit<BoardRow, 'now' | 'runs'> {
  state: InvariantState
  everyMs: number
  fullEveryMs: number | null
  runs: InvariantRun[]
}

/** Every invariant with its state, its latest result and its latest runs; in the order of the table. */
export async function readBoard(): Promise<BoardLine[]> {
  const found = await selectBoard({ names: INVARIANT_NAMES })
  return found.map(({ now, ...row }) => {
    const runs = row.runs.map((run) => ({ ...run, endedAt: new Date(run.endedAt) }))
    const { everyMs, fullEveryMs } = INVARIANTS[row.name]
    return { ...row, everyMs, fullEveryMs, runs, state: stateOf(row, runs.at(0), now) }
  })
}

/** Of a turn of the schedule, a run of all others before it, and a worker that is restarted. */
const ALLOWED_DELAY_MS = 10 * MINUTE_MS

function stateOf(
  { name, redSince }: Pick<BoardRow, 'name' | 'redSince'>,
  last: InvariantRun | undefined,
  now: Date
): InvariantState {
  if (redSince) return 'red'
  if (!last) return 'never'
  if (last.state === 'failed') return 'failed'
  const due = dueAt(INVARIANTS[name], { at: last.endedAt, tookMs: last.tookMs })
  return now.getTime() > due.getTime() + ALLOWED_DELAY_MS ? 'old' : 'green'
}
