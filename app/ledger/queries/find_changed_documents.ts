import { TAKEN_MOVEMENTS } from '#ledger/queries/find_next_period'
import { memoNumber } from '#ledger/statement_status'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface ChangedDocument {
  memoNumber: number | null
  bankReference: string | null
}

// One that is gone leaves a movement without a cause, which `findBreaches` finds.
const selectChanged = statement<
  ChangedDocument,
  { partnerId: number; from: Date; to: Date; most: number }
>(
  'settlement_changed_documents',
  `WITH taken AS MATERIALIZED (
     SELECT split_part(source, ':', 1) AS word, split_part(source, ':', 2)::integer AS id FROM ledger_movements
      WHERE ${TAKEN_MOVEMENTS} AND (source LIKE 'memo:%' OR source LIKE 'payment:%')),
   documents AS (
     SELECT 'memo:' || id AS document, seal_of_memo(memo) AS sha256, memo.number, NULL AS reference
       FROM taken JOIN settlement_memos memo USING (id) WHERE word = 'memo'
     UNION ALL
     SELECT 'decision:' || id, seal_of_decision(memo), memo.number, NULL
       FROM taken JOIN settlement_memos memo USING (id) WHERE word = 'memo'
     UNION ALL
     SELECT 'payment:' || id, seal_of_payment(paid), NULL, paid.bank_reference
       FROM taken JOIN settlement_payments paid USING (id) WHERE word = 'payment')
   SELECT DISTINCT number AS "memoNumber", reference AS "bankReference"
     FROM documents LEFT JOIN settlement_seals seal USING (document)
    WHERE documents.sha256 IS DISTINCT FROM seal.sha256 ORDER BY 1, 2 LIMIT :most`
)

/** As many fit into a message. */
const MOST_NAMED = 10

/**
 * The memos and payments that the statement of [from, to) takes and that no longer agree with their seals (ADR 19): `MEM-000007`, or the
 * reference of a payment.
 */
export async function findChangedDocuments(
  period: { partnerId: number; from: Date; to: Date },
  trx: TransactionClientContract
): Promise<string[]> {
  const changed = await selectChanged({ ...period, most: MOST_NAMED }, trx)
  return changed.map((one) =>
    one.memoNumber === null ? one.bankReference! : memoNumber(one.memoNumber)
  )
}
