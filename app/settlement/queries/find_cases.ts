import type { AttemptFacts, CaseFacts, OrderFacts, PartnerFacts } from '#settlement/defects/facts'
import type { UnknownMoney } from '#settlement/defects/registers'
import { judgeCase, type JudgedCase } from '#settlement/defects/judge_case'
import { findLinks } from '#settlement/queries/find_links'
import { factsOfOrders, factsOfPeriod, readStrays, readVoids } from '#settlement/queries/read_facts'
import { readPartnerFacts } from '#settlement/queries/read_partner_facts'
import { RegisterEvidence } from '#settlement/registers/queries/read_register_evidence'
import { takeTime } from '#shared/patience'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface FoundCase {
  /** The first of its orders. */
  key: string
  facts: CaseFacts
  judged: JudgedCase
}

export interface CasesScope {
  partnerId: number
  /** Of orders made, and of confirms of unknown orders received, in [from, to). */
  from: Date
  to: Date
  /** The cut-off by which everything is judged. */
  asOf: Date
}

type Told = (found: FoundCase) => Promise<void> | void

/** Judges all that happened with a partner in a period; cases that the rules have something to say of are told one by one. */
export async function findCases(scope: CasesScope, tell: Told): Promise<{ orders: number }> {
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await takeTime(trx)
    return new CaseFinder(scope, tell, trx).run()
  })
}

class CaseFinder {
  #partner!: PartnerFacts
  #registers!: RegisterEvidence
  #orders = 0
  readonly #unknown = new Map<string, UnknownMoney[]>()

  constructor(
    private readonly scope: CasesScope,
    private readonly tell: Told,
    private readonly trx: TransactionClientContract
  ) {}

  async run() {
    const { scope, trx } = this
    this.#partner = await readPartnerFacts(scope.partnerId, scope.asOf, trx)
    const links = await findLinks(scope, trx)
    const strays = await readStrays(scope, trx)
    const voids = await readVoids(scope, trx)
    this.#registers = await RegisterEvidence.of(scope.partnerId, trx)
    for (const [id, money] of this.#registers.unknownIn(scope))
      this.#unknown.set(links.firstOf(id), money)
    const linked = new Map<string, OrderFacts[]>()
    for await (const order of factsOfPeriod(scope, trx)) {
      this.#orders++
      order.voids = voids.get(order.id) ?? []
      this.#registers.addTo(order)
      if (!links.has(order.id)) await this.#judge(order.id, [order], [])
      else put(linked, links.firstOf(order.id), order)
    }
    const strayGroups = new Map<string, AttemptFacts[]>()
    for (const stray of strays) put(strayGroups, links.firstOf(stray.orderIdSent), stray)
    await this.#addNeighbours(linked, strayGroups, links)
    for (const key of new Set([...linked.keys(), ...strayGroups.keys(), ...this.#unknown.keys()]))
      await this.#judge(key, linked.get(key) ?? [], strayGroups.get(key) ?? [])
    return { orders: this.#orders }
  }

  /** Orders of other periods that share a payment with one of this period. */
  async #addNeighbours(
    linked: Map<string, OrderFacts[]>,
    strays: Map<string, AttemptFacts[]>,
    links: { ids: string[]; firstOf: (id: string) => string }
  ) {
    const here = new Set([...linked.values()].flat().map(({ id }) => id))
    const missing = links.ids.filter((id) => {
      const key = links.firstOf(id)
      return !here.has(id) && (linked.has(key) || strays.has(key))
    })
    if (missing.length === 0) return
    for await (const order of factsOfOrders(this.scope, missing, this.trx)) {
      this.#registers.addTo(order)
      put(linked, links.firstOf(order.id), order)
    }
  }

  async #judge(key: string, orders: OrderFacts[], strays: AttemptFacts[]) {
    const [unknown, asOf] = [this.#unknown.get(key) ?? [], this.scope.asOf.getTime()]
    const facts = { partner: this.#partner, orders, strays, unknown, asOf }
    const judged = judgeCase(facts)
    if (judged) await this.tell({ key, facts, judged })
  }
}

function put<Value>(groups: Map<string, Value[]>, key: string, value: Value) {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}
