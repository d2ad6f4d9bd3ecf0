/**
 * Totals and SHA-256 of a statement. Statements of a partner form a hash chain: each one's hash covers the stored hash of the
 * statement before. A changed line shows in its own statement, whose hash is no longer the stored one; later statements stay
 * valid. To hide it, the stored hash has to be replaced too, and then those of all later statements.
 *
 * Statements issued from now on have the fourth form of the hash, which covers everything of `seal.ts`. Older ones keep the
 * third or second form, or the first one (`digestLines`): a header and the lines.
 *
 * Example of the first form: statement 2 of partner 7, opening balance 50,000.
 *   sale        +12,000  1 ticket   late: of an earlier period
 *   sale        +24,000  2 tickets
 *   commission   -3,600
 * Result: 3 lines, 1 of them late; sale 36,000 of 3 tickets in 2 movements; commission -3,600 in 1 movement;
 * the SHA-256 of the header's JSON and the lines' JSON, joined by line feeds.
 */
import { zeroTotals, type StatementLine, type Totals } from '#ledger/movements'
import { sealedRows, type SealedScope } from '#ledger/seal'
import type { BackgroundThrottle } from '#shared/background_throttle'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createHash } from 'node:crypto'

/** The form of the hash of statements that are issued now. */
export const HASH_VERSION = 4

// The order of keys and the format of times are part of the document: the hash must not depend on who computes it.
const CANONICAL_JSON = `json_build_array(m.kind, m.amount_tenge::text, m.tickets, m.source, m.event_id, m.order_id, m.terms_id, m.rate_bp,
  to_char(m.effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text`
const LINE_COLUMNS = `m.kind, m.amount_tenge::text AS amount, m.tickets, m.effective_at < :from AS "isLate", ${CANONICAL_JSON} AS canonical`

const STATEMENT_LINES = `SELECT ${LINE_COLUMNS} FROM ledger_movements m
  WHERE m.statement_id = :statementId AND m.statement_id IS NOT NULL ORDER BY m.line`

/** The lines of a superseded statement, whose movements may be in another statement by now. */
const SUPERSEDED_LINES = `SELECT ${LINE_COLUMNS} FROM settlement_superseded_lines l JOIN ledger_movements m ON m.id = l.movement_id
  WHERE l.statement_id = :statementId ORDER BY l.line`

/** What the first form covers besides the lines. */
export interface StatementHeader {
  number: number
  partnerId: number
  from: Date
  to: Date
  termsId: number
  openingTenge: bigint
  prevSha256: string | null
}

export interface StatementSums {
  totals: Totals
  lines: number
  lateLines: number
}
export type StatementDigest = StatementSums & { sha256: string }

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

/** The first form: computes a statement again that was issued before the second one. */
export const digestFirstForm = (
  header: StatementHeader,
  { statementId, isSuperseded }: Pick<SealedScope, 'statementId' | 'isSuperseded'>,
  trx: TransactionClientContract,
  throttle?: BackgroundThrottle
) => {
  const lines = isSuperseded ? SUPERSEDED_LINES : STATEMENT_LINES
  const rows = streamRows<StatementLine>(lines, { statementId, from: header.from }, trx)
  return digestLines(header, rows, throttle)
}

/** The first form of the hash; `rows` in the order of the statement's lines. */
export async function digestLines(
  header: StatementHeader,
  rows: AsyncIterable<StatementLine> | Iterable<StatementLine>,
  throttle?: BackgroundThrottle
): Promise<StatementDigest> {
  const hash = createHash('sha256').update(headerJson(header))
  const sums = zeroSums()
  for await (const line of rows) {
    addLine(sums, line)
    hash.update('\n').update(line.canonical)
    await throttle?.pause()
  }
  return { ...sums, sha256: hash.digest('hex') }
}

/** All forms but the first: `lastRow` renders the statement's own row, which follows from the lines' sums when it is issued. */
export async function digestSealed(
  scope: SealedScope,
  lastRow: (sums: StatementSums) => Promise<string>,
  trx: TransactionClientContract,
  throttle?: BackgroundThrottle
): Promise<StatementDigest> {
  const hash = createHash('sha256')
  const sums = zeroSums()
  for await (const row of sealedRows(scope, (line) => addLine(sums, line), trx)) {
    hash.update(row).update('\n')
    await throttle?.pause()
  }
  hash.update(await lastRow(sums))
  return { ...sums, sha256: hash.digest('hex') }
}

const zeroSums = (): StatementSums => ({ totals: zeroTotals(), lines: 0, lateLines: 0 })

function addLine(sums: StatementSums, { kind, amount, tickets, isLate }: StatementLine) {
  const total = sums.totals[kind]
  total.movements++
  total.tickets += tickets
  total.tenge += BigInt(amount)
  sums.lines++
  if (isLate) sums.lateLines++
}
