import { lockStatement, type SettlementStatement } from '#ledger/queries/find_statement'
import {
  STATEMENT_TRANSITIONS,
  statementNumber,
  type StatementTrigger,
} from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface ChangeStatementStatusInput {
  statementId: number
  trigger: 'agree' | 'dispute' | 'close'
  /** The partner's words, or why the statement is closed although the partner disagrees. */
  note: string | null
  actor: Actor
}

const setStatus = statement<
  object,
  { statementId: number; to: string; note: string | null; actor: string }
>(
  'settlement_statement_set_status',
  `UPDATE settlement_statements SET status = :to, status_note = :note, status_by = :actor, status_at = clock_timestamp() WHERE id = :statementId`
)

/** Agrees on, disputes or closes a statement. Whether it is paid is another matter (`PaymentStatus`). */
export default class ChangeStatementStatus {
  async handle({ statementId, trigger, note, actor }: ChangeStatementStatusInput) {
    await transaction(async (trx) => {
      const found = await lockStatement(statementId, trx)
      await transitionStatement(found, trigger, note, actor, trx)
    })
  }
}

/** Moves a locked statement along the state table; refuses STATUS_NOT_REACHABLE. */
export async function transitionStatement(
  found: SettlementStatement,
  trigger: StatementTrigger,
  note: string | null,
  actor: Actor,
  trx: TransactionClientContract
) {
  const to = STATEMENT_TRANSITIONS[found.status][trigger]
  if (!to) refuse('STATUS_NOT_REACHABLE', { from: found.status, to: trigger })
  await setStatus({ statementId: found.id, to, note, actor: actor.name }, trx)
  const change = { statement: statementNumber(found.number), from: found.status, to, note }
  await record('statement_status_changed', change, { actor, partnerId: found.partnerId }, trx)
}
