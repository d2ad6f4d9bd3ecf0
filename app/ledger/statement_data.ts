import { noTotals, type MovementKind, type Totals } from '#ledger/movements'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createHash } from 'node:crypto'

/** A movement as a statement fixes it. */
interface Line {
  kind: MovementKind
  amount: string
  tickets: number
  isLate: boolean
  /** JSON array of everything that the statement says of it, without its place. */
  said: string
}

// The order of keys and the form of times are the document's: what is hashed must not depend on who writes it down.
const SAID = `json_build_array(m.kind, m.amount_tenge::text, m.tickets, m.source, m.event_id, m.order_id, m.terms_id, m.rate_bp,
  to_char(m.effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text`
const LINE = `m.kind, m.amount_tenge::text AS amount, m.tickets, m.effective_at < :from AS "isLate", ${SAID} AS said`

/** Takes the statement and the beginning of its period. */
const FROZEN_LINES = `SELECT ${LINE} FROM ledger_movements m
  WHERE m.statement_id = :statementId AND m.statement_id IS NOT NULL ORDER BY m.line`

/** Of a withdrawn one, whose lines may be in another statement by now. */
const SUPERSEDED_LINES = `SELECT ${LINE} FROM settlement_superseded_lines l JOIN ledger_movements m ON m.id = l.movement_id
  WHERE l.statement_id = :statementId ORDER BY l.line`

/** What the hash of a statement begins with, so that nothing of it can be changed unseen. */
export interface StatementHead {
  number: number
  partnerId: number
  from: Date
  to: Date
  termsId: number
  openingTenge: bigint
  prevSha256: string | null
}

export interface StatementData {
  totals: Totals
  lines: number
  lateLines: number
  sha256: string
}

const headLine = (head: StatementHead) =>
  JSON.stringify([
    ...['statement', head.number, head.partnerId, head.from.toISOString(), head.to.toISOString()],
    ...[head.termsId, String(head.openingTenge), head.prevSha256],
  ])

/** Adds up and hashes the movements that a statement has taken: at its issue, and whenever it has to prove itself. */
export const readFrozen = (
  statementId: number,
  head: StatementHead,
  trx: TransactionClientContract,
  isSuperseded = false
) => {
  const lines = isSuperseded ? SUPERSEDED_LINES : FROZEN_LINES
  return digest(head, streamRows<Line>(lines, { statementId, from: head.from }, trx))
}

async function digest(head: StatementHead, rows: AsyncIterable<Line>): Promise<StatementData> {
  const hash = createHash('sha256').update(headLine(head))
  const totals = noTotals()
  let lines = 0
  let lateLines = 0
  for await (const { kind, amount, tickets, isLate, said } of rows) {
    const total = totals[kind]
    total.movements++
    total.tickets += tickets
    total.tenge += BigInt(amount)
    lines++
    if (isLate) lateLines++
    hash.update('\n').update(said)
  }
  return { totals, lines, lateLines, sha256: hash.digest('hex') }
}
