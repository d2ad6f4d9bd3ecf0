import { netMovement, toStoredTotals } from '#ledger/movements'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { isSealForm, sealedStatement } from '#ledger/seal'
import { digestFirstForm, digestSealed, HASH_VERSION } from '#ledger/statement_digest'
import type { BackgroundThrottle } from '#shared/background_throttle'
import { allowLongQueries } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isDeepStrictEqual } from 'node:util'

interface VerifyOptions {
  throttle?: BackgroundThrottle
  signal?: AbortSignal
}

interface Seal {
  hashVersion: number
  /** With all of its microseconds. */
  asOf: string
}
const selectSeal = statement<Seal, { id: number }>(
  'settlement_statement_seal',
  `SELECT hash_version AS "hashVersion", data_as_of::text AS "asOf" FROM settlement_statements WHERE id = :id`
)
/** SQL: whether statement `s` continues `before`, the one that it names as its former; `before` is null for a first one. */
export const IS_LINKED = `(CASE WHEN s.prev_id IS NULL THEN s.prev_sha256 IS NULL AND s.opening_tenge = 0
                ELSE (before.partner_id, before.period_to, before.closing_tenge, before.data_sha256)
                     = (s.partner_id, s.period_from, s.opening_tenge, s.prev_sha256) END) IS TRUE`

const selectIsLinked = statement<{ isLinked: boolean }, { id: number }>(
  'settlement_statement_is_linked',
  `SELECT ${IS_LINKED} AS "isLinked"
     FROM settlement_statements s LEFT JOIN settlement_statements before ON before.id = s.prev_id WHERE s.id = :id`
)

/**
 * Computes a statement again, by the form of its hash, and returns the fields that differ from the stored ones; empty when
 * all agree. `prev_sha256`: the statement before is not the one that it was issued after.
 */
export const verifyStatement = (found: SettlementStatement, options: VerifyOptions = {}) =>
  transaction(async (trx) => {
    await allowLongQueries(trx)
    return verifyStatementWithin(found, trx, options)
  }, options.signal)

/** The same within a transaction that allows long queries. */
export async function verifyStatementWithin(
  found: SettlementStatement,
  trx: TransactionClientContract,
  { throttle }: VerifyOptions = {}
): Promise<string[]> {
  const digest = await digestAgain(found, trx, throttle)
  const wrong: string[] = []
  if (digest.lines !== found.lines || digest.lateLines !== found.lateLines) wrong.push('lines')
  if (!isDeepStrictEqual(toStoredTotals(digest.totals), toStoredTotals(found.totals)))
    wrong.push('totals')
  if (found.openingTenge + netMovement(digest.totals) !== found.closingTenge)
    wrong.push('closing_tenge')
  if (digest.sha256 !== found.statementSha256) wrong.push('data_sha256')
  if (!(await isLinked(found.id, trx))) wrong.push('prev_sha256')
  return wrong
}

async function digestAgain(
  found: SettlementStatement,
  trx: TransactionClientContract,
  throttle?: BackgroundThrottle
) {
  const { hashVersion, asOf } = await selectSeal.one({ id: found.id }, trx)
  const isSuperseded = found.status === 'superseded'
  const about = { ...found, statementId: found.id, asOf, isSuperseded }
  if (hashVersion === 1) return digestFirstForm(found, about, trx, throttle)
  const form = isSealForm(hashVersion) ? hashVersion : HASH_VERSION
  const scope = { ...about, form }
  return digestSealed(scope, () => sealedStatement(found.id, trx), trx, throttle)
}

const isLinked = (id: number, client: QueryClientContract) =>
  selectIsLinked.one({ id }, client).then((row) => row.isLinked)
