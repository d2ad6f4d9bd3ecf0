import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface Account {
  partnerId: number
  code: string
  name: string
  lastStatementId: number | null
}

const lockRow = statement<Account, { code: string }>(
  'settlement_account_lock',
  `SELECT a.partner_id AS "partnerId", p.code, p.name, a.last_statement_id AS "lastStatementId"
     FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
    WHERE p.code = :code FOR NO KEY UPDATE OF a`
)

/** The partner's account, locked: periods are closed and terms set one after another. Refuses NO_SUCH. */
export async function lockAccount(code: string, trx: TransactionClientContract): Promise<Account> {
  const account = await lockRow.first({ code }, trx)
  if (!account) refuse('NO_SUCH', { what: `partner ${code}` })
  return account
}

const next = statement<{ last: number }, { of: string }>(
  'settlement_counter_next',
  'UPDATE settlement_counters SET last = last + 1 WHERE name = :of RETURNING last'
)

/** Without gaps: a number that is drawn and not used comes back with the rollback. */
export async function nextNumber(of: 'statement' | 'memo', trx: TransactionClientContract) {
  const { last } = await next.one({ of }, trx)
  return last
}
