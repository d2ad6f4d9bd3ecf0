import { IS_ASKED_FOR } from '#finance/settlement/list_accounts'
import type {
  AccountAgeing,
  Ageing,
  AgeingLine,
  AllocationLine,
  OpenItemLine,
  OpenItems,
} from '#finance/settlement/settlement_props'
import {
  AGE_BUCKET,
  AGE_BUCKETS,
  findItem,
  itemName,
  listAllocations,
  listOpenItems,
  proposeDebit,
  type Item,
} from '#ledger/queries/open_items'
import { sumTenge } from '#shared/sums'
import { abs } from '#shared/tenge'
import { statement } from '#shared/statement'

/** What is open between a partner and us: debits, credits, what is put against what, and how old it is. */
export async function readOpenItems(partnerId: number): Promise<OpenItems> {
  const items = await listOpenItems({ partnerId })
  const debits = items.filter(({ signedTenge }) => signedTenge > 0n)
  const credits = items.filter(({ signedTenge }) => signedTenge < 0n)
  return {
    debits: debits.map((item) => lineOf(item, null)),
    credits: credits.map((item) => lineOf(item, proposalFor(item, debits))),
    allocations: await readAllocations(partnerId),
    ageing: { debits: ageingOf(debits), credits: ageingOf(credits) },
  }
}

function proposalFor(credit: Item, debits: Item[]): OpenItemLine['proposal'] {
  const proposal = proposeDebit(credit, debits)
  return proposal && { debit: proposal.debit, amountTenge: Number(proposal.amountTenge) }
}

const lineOf = (item: Item, proposal: OpenItemLine['proposal']): OpenItemLine => ({
  item: item.item,
  kind: item.kind,
  name: itemName(item),
  statementId: item.kind === 'statement' ? item.documentId : null,
  datedOn: item.datedOn,
  ageDays: item.ageDays,
  amountTenge: Number(abs(item.signedTenge)),
  allocatedTenge: Number(item.allocatedTenge),
  restTenge: Number(item.restTenge),
  proposal,
})

function ageingOf(items: Item[]): AgeingLine {
  const line = Object.fromEntries(
    AGE_BUCKETS.map((bucket) => {
      const aged = items.filter((item) => item.bucket === bucket)
      return [bucket, Number(sumTenge(aged, ({ restTenge }) => restTenge))]
    })
  ) as Record<(typeof AGE_BUCKETS)[number], number>
  return { ...line, total: Number(sumTenge(items, ({ restTenge }) => restTenge)) }
}

async function readAllocations(partnerId: number): Promise<AllocationLine[]> {
  const allocations = await listAllocations({ partnerId })
  const names = new Map<string, string>()
  for (const item of new Set(allocations.flatMap(({ credit, debit }) => [credit, debit])))
    names.set(item, itemName(await findItem.one({ partnerId, item })))
  return allocations.map(({ credit, debit, amountTenge, allocatedAt, ...rest }) => ({
    ...rest,
    credit: names.get(credit)!,
    debit: names.get(debit)!,
    amountTenge: Number(amountTenge),
    allocatedAt: allocatedAt.toISOString(),
  }))
}

const selectAgeing = statement<
  {
    code: string
    side: 'debits' | 'credits'
    bucket: (typeof AGE_BUCKETS)[number]
    tenge: number
  },
  { q: string | null }
>(
  'back_office_ageing',
  `SELECT p.code, CASE WHEN i.signed_tenge > 0 THEN 'debits' ELSE 'credits' END AS side, ${AGE_BUCKET} AS bucket,
          sum(i.rest_tenge)::float8 AS tenge
     FROM settlement_items i JOIN partners p ON p.id = i.partner_id
    WHERE i.rest_tenge <> 0 AND ${IS_ASKED_FOR} GROUP BY 1, 2, 3`
)

const NOTHING: AgeingLine = { to30: 0, to60: 0, to90: 0, over90: 0, total: 0 }

/** Open debits and credits by age of all accounts that are asked for: by the partner's code, and all together. */
export async function readAgeing(q: string | null): Promise<AccountAgeing> {
  const byCode: Record<string, Ageing> = {}
  const total: Ageing = { debits: { ...NOTHING }, credits: { ...NOTHING } }
  for (const { code, side, bucket, tenge } of await selectAgeing({ q })) {
    byCode[code] ??= { debits: { ...NOTHING }, credits: { ...NOTHING } }
    for (const line of [byCode[code][side], total[side]]) {
      line[bucket] += tenge
      line.total += tenge
    }
  }
  return { byCode, total }
}
