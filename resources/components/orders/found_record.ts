import type { FoundRecord } from '#back_office/orders/orders_props'
import { chainOf, exposedParts } from '~/components/cases/case'
import { periodOf } from '~/components/settlement/period'
import { urlFor } from '~/routes'
import { named, t, tenge } from '~/texts/texts'

const KIND_TEXTS = {
  statement: 'settlement.statement',
  memo: 'orders.memo',
  case: 'cases.number',
} as const

export const kindOf = ({ kind }: FoundRecord) => t(KIND_TEXTS[kind])

export const nameOf = (record: FoundRecord) =>
  record.kind === 'case' ? t('lists.numbered', { id: record.id }) : record.number

/** A memo has no page of its own: it stands on its partner's account. */
export function urlOf(record: FoundRecord) {
  if (record.kind === 'statement') return urlFor('back_office.statement', { id: record.id })
  if (record.kind === 'case') return urlFor('back_office.case', { id: record.id })
  return urlFor('back_office.settlement.account', { code: record.partner })
}

export function detailsOf(record: FoundRecord): string[] {
  if (record.kind === 'statement')
    return [periodOf(record.from, record.to), tenge(record.closingTenge)]
  if (record.kind === 'memo')
    return [named('movement_kinds', record.memoKind), tenge(record.amountTenge), record.reason]
  const money = exposedParts(record.exposure).map(
    (part) => `${tenge(part.tenge)} · ${named('whose', part.party)}`
  )
  return [chainOf(record.chain), ...(record.isOpen ? money : [])]
}
