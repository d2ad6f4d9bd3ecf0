/**
 * Totals and SHA-256 of a statement. Statements of a partner form a hash chain: each header contains the stored hash of the
 * statement before. A changed line shows in its own statement, whose hash is no longer the stored one; later statements stay
 * valid. To hide it, the stored hash has to be replaced too, and then those of all later statements.
 *
 * Example: statement 2 of partner 7, opening balance 50,000.
 *   sale        +12,000  1 ticket   late: of an earlier period
 *   sale        +24,000  2 tickets
 *   commission   -3,600
 * Result: 3 lines, 1 of them late; sale 36,000 of 3 tickets in 2 movements; commission -3,600 in 1 movement;
 * the SHA-256 of the header's JSON and the lines' JSON, joined by line feeds.
 */
import { zeroTotals, type MovementKind, type Totals } from '#ledger/movements'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createHash } from 'node:crypto'

/** A movement as a line of a statement. */
export interface StatementLine {
  kind: MovementKind
  amount: string
  tickets: number
  isLate: boolean
  /** What is hashed: a JSON array of the movement's fields, without its place in the statement. */
  canonical: string
}

// The order of keys and the format of times are part of the document: the hash must not depend on who computes it.
const CANONICAL_JSON = `json_build_array(m.kind, m.amount_tenge::text, m.tickets, m.source, m.event_id, m.order_id, m.terms_id, m.rate_bp,
  to_char(m.effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text`
const LINE_COLUMNS = `m.kind, m.amount_tenge::text AS amount, m.tickets, m.effective_at < :from AS "isLate", ${CANONICAL_JSON} AS canonical`

const STATEMENT_LINES = `SELECT ${LINE_COLUMNS} FROM ledger_movements m
  WHERE m.statement_id = :statementId AND m.statement_id IS NOT NULL ORDER BY m.line`

/** The lines of a superseded statement, whose movements may be in another statement by now. */
const SUPERSEDED_LINES = `SELECT ${LINE_COLUMNS} FROM settlement_superseded_lines l JOIN ledger_movements m ON m.id = l.movement_id
  WHERE l.statement_id = :statementId ORDER BY l.line`

/** What the hash covers besides the lines. */
export interface StatementHeader {
  number: number
  partnerId: number
  from: Date
  to: Date
  termsId: number
  openingTenge: bigint
  prevSha256: string | null
}

export interface StatementDigest {
  totals: Totals
  lines: number
  lateLines: number
  sha256: string
}

const headerJson = (header: StatementHeader) =>
  JSON.stringify([
    'statement',
    header.number,
    header.partnerId,
    header.from.toISOString(),
    header.to.toISOString(),
    header.termsId,
    String(header.openingTenge),
    header.prevSha256,
  ])

/** Reads the movements of a statement, adds them up and hashes them: when it is issued and whenever it is verified. */
export const digestStatement = (
  statementId: number,
  header: StatementHeader,
  trx: TransactionClientContract,
  isSuperseded = false
) => {
  const lines = isSuperseded ? SUPERSEDED_LINES : STATEMENT_LINES
  return digestLines(
    header,
    streamRows<StatementLine>(lines, { statementId, from: header.from }, trx)
  )
}

/** `rows` in the order of the statement's lines. */
export async function digestLines(
  header: StatementHeader,
  rows: AsyncIterable<StatementLine> | Iterable<StatementLine>
): Promise<StatementDigest> {
  const hash = createHash('sha256').update(headerJson(header))
  const totals = zeroTotals()
  let lines = 0
  let lateLines = 0
  for await (const { kind, amount, tickets, isLate, canonical } of rows) {
    const total = totals[kind]
    total.movements++
    total.tickets += tickets
    total.tenge += BigInt(amount)
    lines++
    if (isLate) lateLines++
    hash.update('\n').update(canonical)
  }
  return { totals, lines, lateLines, sha256: hash.digest('hex') }
}
