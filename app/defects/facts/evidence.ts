import type { AttemptFacts, OrderFacts } from '#defects/facts/facts'
import type { UnknownOrder } from '#defects/facts/register_facts'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What a partner's confirmed registers show, in the form that the rules need. */
export interface Evidence {
  /** Adds to an order what registers show about it. */
  addTo(order: OrderFacts): void
  /** Names of orders that we do not have: those charged in `[from, to)`, and those among `names`. */
  unknownIn(period: { from: Date; to: Date }, names: string[]): Iterable<string>
  /** The spelling of an unknown order in the first register that names it; `name` itself when none does. */
  spellingOf(name: string): string
  /** An order that we do not have, with the confirms that sent its name; null when no register shows it. */
  evidenceOfUnknownOrder(name: string, confirms: AttemptFacts[]): UnknownOrder | null
}

/** Where the evidence comes from; `providers/` binds the implementation of reconciliation to this class. */
export abstract class EvidenceSource {
  abstract read(partnerId: number, trx: TransactionClientContract): Promise<Evidence>
}
