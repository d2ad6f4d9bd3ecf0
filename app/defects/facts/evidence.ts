import type { MissingOrder, RegisterDays, ShownRow } from '#defects/facts/register_facts'
import type { SourcesSharingIds } from '#defects/facts/sources_sharing_ids'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What a partner's confirmed registers show and lack, with nothing concluded from it. */
export interface Evidence {
  /** Ids of orders, ours and unknown ones, that rows join: each group is judged as one. */
  readonly groups: readonly string[][]
  readonly days: readonly RegisterDays[]
  readonly sourcesSharingIds: SourcesSharingIds
  /** Ids of all orders, ours and unknown ones, that rows show or registers lack, as registers and as we spell them. */
  orderIds(): Iterable<string>
  /** Payments are spelled as among `knownPayments`. */
  rowsOf(orderIds: Iterable<string>, knownPayments: () => Iterable<string>): ShownRow[]
  missingOf(orderIds: Iterable<string>): MissingOrder[]
  /** Names of orders that we do not have: those charged in `[from, to)`, and those among `names`. */
  unknownIn(period: { from: Date; to: Date }, names: string[]): Iterable<string>
  /** The spelling of an unknown order in the first register that names it; `name` itself when none does. */
  spellingOf(name: string): string
}

export interface EvidenceScope {
  partnerId: number
  /** Orders made, and unknown orders charged, in [from, to). */
  from: Date
  to: Date
  /** Further orders, ours and unknown ones. */
  orderIds: string[]
}

/** Where the evidence comes from; `providers/` binds the implementation of reconciliation to this class. */
export abstract class EvidenceSource {
  /** Works out what newly confirmed registers show: `read` knows no others. Called before the snapshot that `read` sees. */
  abstract keep(partnerId: number, signal?: AbortSignal): Promise<void>
  /** What registers show of the scope, and of everything that they join with it, whenever it was. */
  abstract read(scope: EvidenceScope, trx: TransactionClientContract): Promise<Evidence>
}
