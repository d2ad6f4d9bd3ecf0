import { oneOrder } from '#sales/queries/one_order'
import { statement } from '#shared/statement'

export interface CaseLink {
  /** Null for a story without a stored case. */
  caseId: number | null
  /** Null for an order that we do not have. */
  orderId: string | null
}

const selectLinks = statement<CaseLink, { partnerIds: number[]; keys: string[] }>(
  'settlement_case_links',
  `SELECT c.id AS "caseId", o.id AS "orderId"
     FROM unnest(:partnerIds::integer[], :keys::text[]) WITH ORDINALITY AS asked (partner_id, key, at)
     LEFT JOIN settlement_cases c ON c.partner_id = asked.partner_id AND c.key = asked.key
     LEFT JOIN ${oneOrder('asked.key')} ON o.partner_id = asked.partner_id
    ORDER BY asked.at`
)

/** Ids for the link of each story, in the given order: its case, and its first order. */
export const findCaseLinks = (stories: { partnerId: number; key: string }[]): Promise<CaseLink[]> =>
  selectLinks({
    partnerIds: stories.map(({ partnerId }) => partnerId),
    keys: stories.map(({ key }) => key),
  })
