import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface Account {
  partnerId: number
  code: string
  name: string
  lastStatementId: number | null
}

const lockAccountRow = statement<Account, { code: string }>(
  'settlement_account_lock',
  `SELECT a.partner_id AS "partnerId", p.code, p.name, a.last_statement_id AS "lastStatementId"
     FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
    WHERE p.code = :code FOR NO KEY UPDATE OF a`
)

/** Locks a partner's account, so that periods are closed and terms are set one after another. Refuses NO_SUCH. */
export async function lockAccount(code: string, trx: TransactionClientContract): Promise<Account> {
  const account = await lockAccountRow.first({ code }, trx)
  if (!account) refuse('NO_SUCH', { what: `partner ${code}` })
  return account
}

const lockAccountRowById = statement<Account, { partnerId: number }>(
  'settlement_account_lock_by_id',
  `SELECT a.partner_id AS "partnerId", p.code, p.name, a.last_statement_id AS "lastStatementId"
     FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
    WHERE p.id = :partnerId FOR NO KEY UPDATE OF a`
)

/** The same by the partner's id, as documents of the account have it. */
export const lockAccountById = (partnerId: number, trx: TransactionClientContract) =>
  lockAccountRowById.one({ partnerId }, trx)

/** Remembers a partner's latest statement in force; null after its only one was superseded. */
export const setLastStatement = statement<
  object,
  { partnerId: number; statementId: number | null }
>(
  'settlement_account_set_last',
  'UPDATE settlement_accounts SET last_statement_id = :statementId WHERE partner_id = :partnerId'
)

const incrementCounter = statement<{ last: number }, { counter: string }>(
  'settlement_counter_next',
  'UPDATE settlement_counters SET last = last + 1 WHERE name = :counter RETURNING last'
)

/** The next number of a document. Numbers have no gaps: a rollback returns the number. */
export async function nextNumber(counter: 'statement' | 'memo', trx: TransactionClientContract) {
  const { last } = await incrementCounter.one({ counter }, trx)
  return last
}
