import platform from '#config/platform'
import { findIssuer, type Issuer, type IssuerRow } from '#ledger/issuer'
import { isBin } from '#shared/bin'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface SetIssuerInput extends Issuer {
  /** The row on the form; null when nothing was set. */
  replacesId: number | null
  actor: Actor
}

/** The author of details that come from PLATFORM_LEGAL_NAME and PLATFORM_BIN. */
const ENVIRONMENT: Actor = { kind: 'console', name: 'environment', requestId: null }

const lockIssuer = statement(
  'settlement_issuer_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('settlement_issuers', 0))`
)
const insertIssuer = statement<IssuerRow, Issuer & { setBy: string }>(
  'settlement_issuer_insert',
  `INSERT INTO settlement_issuers (legal_name, bin, address, city, signatory, set_by)
   VALUES (:legalName, :bin, :address, :city, :signatory, :setBy)
   RETURNING id, legal_name AS "legalName", bin, address, city, signatory, set_by AS "setBy", set_at AS "setAt"`
)

/**
 * Sets our own details in documents of settlement. Statements that are issued already keep theirs.
 * Refuses a name without letters, a `bin` that is none, and STALE when somebody has changed them meanwhile.
 */
export default class SetIssuer {
  async handle({ replacesId, actor, ...issuer }: SetIssuerInput) {
    if (issuer.legalName.trim() === '') refuseField('legalName', 'required', 'must not be empty')
    if (!isBin(issuer.bin))
      refuseField('bin', 'format', 'must be 12 digits with the control digit of a BIN')
    return transaction(async (trx) => {
      await lockIssuer({}, trx)
      const present = await findIssuer.first({}, trx)
      if ((present?.id ?? null) !== replacesId) refuse('STALE')
      return insertAndRecord(issuer, actor, trx)
    })
  }
}

/** Our details now. While they are empty, those of the environment are stored once. Null when both are empty. */
export async function currentIssuer(trx: TransactionClientContract): Promise<IssuerRow | null> {
  const found = await findIssuer.first({}, trx)
  const { legalName, bin } = platform
  if (found) return found
  if (!legalName?.trim() || !bin || !isBin(bin)) return null
  await lockIssuer({}, trx)
  const meanwhile = await findIssuer.first({}, trx)
  if (meanwhile) return meanwhile
  return insertAndRecord(
    { legalName, bin, address: null, city: null, signatory: null },
    ENVIRONMENT,
    trx
  )
}

async function insertAndRecord(issuer: Issuer, actor: Actor, trx: TransactionClientContract) {
  const row = await insertIssuer.one({ ...issuer, setBy: actor.name }, trx)
  await record('issuer_set', { ...issuer }, { actor }, trx)
  return row
}
