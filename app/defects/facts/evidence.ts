import type { AttemptFacts, OrderFacts } from '#defects/facts/facts'
import type { UnknownOrder } from '#defects/facts/register_facts'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What a partner's confirmed registers say, as rules need it. */
export interface Evidence {
  /** Adds to an order what registers say of it. */
  addTo(order: OrderFacts): void
  /** Orders that we never had: money was taken for them in `[from, to)`, or they are among the names. */
  unknownIn(period: { from: Date; to: Date }, names: string[]): Iterable<string>
  /** How registers first spell an order that we never had; the name itself where none does. */
  spellingOf(name: string): string
  /** An order that we never had, with the confirms that sent its name; null when registers say nothing of it. */
  unknown(name: string, confirms: AttemptFacts[]): UnknownOrder | null
}

/** Rules need evidence and do not know where it comes from: reconciliation is bound to this class (`providers/`). */
export abstract class EvidenceSource {
  abstract read(partnerId: number, trx: TransactionClientContract): Promise<Evidence>
}
