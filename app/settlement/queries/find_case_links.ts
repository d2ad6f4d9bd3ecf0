import { statement } from '#shared/statement'

export interface CaseLink {
  /** Null for what the rules in force have not found. */
  caseId: number | null
  /** Null for an order that we never had. */
  orderId: string | null
}

// By the order's index, whatever PostgreSQL expects of a partner's orders: see scope_sql.
const selectLinks = statement<CaseLink>(
  'settlement_case_links',
  `SELECT c.id AS "caseId", o.id AS "orderId"
     FROM unnest($1::integer[], $2::text[]) WITH ORDINALITY AS asked (partner_id, key, at)
     LEFT JOIN settlement_cases c ON c.partner_id = asked.partner_id AND c.key = asked.key
     LEFT JOIN LATERAL (SELECT * FROM orders WHERE id = asked.key OFFSET 0) o ON o.partner_id = asked.partner_id
    ORDER BY asked.at`
)

/** The page of each story, in the order asked: its case, or at least its first order. */
export const findCaseLinks = (stories: { partnerId: number; key: string }[]): Promise<CaseLink[]> =>
  selectLinks([stories.map(({ partnerId }) => partnerId), stories.map(({ key }) => key)])
