import { beganAt, type AttemptFacts, type CaseFacts, type OrderFacts } from '#defects/facts/facts'
import type { Links } from '#defects/facts/links'
import { findLinks } from '#defects/facts/find_links'
import { findOlder } from '#defects/facts/find_older'
import { factsOfOrders, factsOfPeriod, readStrays } from '#defects/facts/read_facts'
import { PartnerDays } from '#defects/facts/partner_days'
import { returnsOfOrders, returnsOfPeriod, type Returns } from '#defects/facts/read_voids'
import { EvidenceSource, type Evidence } from '#defects/facts/evidence'
import { allowLongQueries } from '#shared/long_queries'
import { transaction } from '#shared/transaction'
import app from '@adonisjs/core/services/app'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface StoriesScope {
  partnerId: number
  /** Orders made and confirms of unknown orders received in [from, to). */
  from: Date
  to: Date
  /** The cut-off by which everything is judged. */
  asOf: Date
  /** Also orders made before, with an event in the period or an open case. */
  withOlder: boolean
}

/** Orders and confirms that belong together; what the rules judge. */
export interface Story {
  /** The least id of its orders. */
  key: string
  facts: CaseFacts
}

export interface Listener {
  story: (story: Story) => Promise<void> | void
  /** Called once per order made in the period, with the ids of payments that have too many orders. */
  order?: (order: OrderFacts, overSharedPayments: ReadonlySet<string>) => void
}

/** Runs `work` on one read-only snapshot, with time for long queries. */
export const readingPeriod = <Result>(
  work: (trx: TransactionClientContract) => Promise<Result>,
  signal?: AbortSignal
): Promise<Result> =>
  transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await allowLongQueries(trx)
    return work(trx)
  }, signal)

/** Passes all stories of a partner's period to the listener. Most are one order and are passed on as soon as it is read. */
export const readStories = (
  scope: StoriesScope,
  listener: Listener,
  trx: TransactionClientContract
) => new StoryReader(scope, listener, trx).run()

class StoryReader {
  #partner!: PartnerDays
  #links!: Links
  #registers!: Evidence
  #orders = 0
  readonly #linked = new Map<string, OrderFacts[]>()
  readonly #strays = new Map<string, AttemptFacts[]>()
  readonly #unknown = new Map<string, string[]>()

  constructor(
    private readonly scope: StoriesScope,
    private readonly listener: Listener,
    private readonly trx: TransactionClientContract
  ) {}

  async run() {
    const { scope, trx } = this
    this.#partner = await PartnerDays.of(scope.partnerId, scope.asOf, trx)
    await this.#partner.measure(scope)
    this.#links = await findLinks(scope, trx)
    const older = await this.#findOlder()
    const source = await app.container.make(EvidenceSource)
    this.#registers = await source.read(scope.partnerId, trx)
    const names = [...this.#registers.unknownIn(scope, older)]
    for (const stray of await readStrays(scope, [...older, ...names], trx)) this.#putStray(stray)
    for (const name of names) put(this.#unknown, this.#links.firstOf(name), name)
    await this.#readPeriod()
    await this.#addNeighbours(older)
    for (const key of new Set([
      ...this.#linked.keys(),
      ...this.#strays.keys(),
      ...this.#unknown.keys(),
    ]))
      await this.#report(key, this.#linked.get(key) ?? [], this.#strays.get(key) ?? [])
    return { orders: this.#orders, older }
  }

  async #findOlder() {
    if (!this.scope.withOlder) return []
    const { ids, groups } = await findOlder(this.scope, this.#partner.longestRefundDays, this.trx)
    for (const group of groups) this.#links.join(group)
    return ids
  }

  async #readPeriod() {
    const { scope, trx, listener } = this
    const returns = await returnsOfPeriod(scope, trx)
    for await (const order of factsOfPeriod(scope, trx)) {
      this.#orders++
      addReturns(order, returns)
      this.#registers.addTo(order)
      listener.order?.(order, this.#links.overSharedPayments)
      if (!this.#links.has(order.id)) await this.#report(order.id, [order], [])
      else put(this.#linked, this.#links.firstOf(order.id), order)
    }
  }

  /** Adds orders of other periods: those that share a payment with one of this period, and the older ones to judge again. */
  async #addNeighbours(older: string[]) {
    const here = new Set([...this.#linked.values()].flat().map(({ id }) => id))
    const asked = new Set(older.map((id) => this.#links.firstOf(id)))
    const isReported = (key: string) =>
      asked.has(key) || this.#linked.has(key) || this.#strays.has(key)
    const ids = new Set([...older, ...this.#links.ids])
    const missing = [...ids].filter((id) => !here.has(id) && isReported(this.#links.firstOf(id)))
    if (missing.length === 0) return
    await this.#addStrays(missing)
    const returns = await returnsOfOrders(this.scope.partnerId, missing, this.trx)
    for await (const order of factsOfOrders(this.scope, missing, this.trx)) {
      addReturns(order, returns)
      this.#registers.addTo(order)
      put(this.#linked, this.#links.firstOf(order.id), order)
    }
  }

  /** Adds earlier confirms of unknown orders. */
  async #addStrays(ids: string[]) {
    const { from } = this.scope
    const known = new Set([...this.#strays.values()].flat().map(({ id }) => id))
    const before = { ...this.scope, from, to: from }
    for (const stray of await readStrays(before, ids, this.trx))
      if (!known.has(stray.id)) this.#putStray(stray)
  }

  /** A spreadsheet may have changed the spelling of the order in the register: both names are one order. */
  #putStray(stray: AttemptFacts) {
    const name = this.#registers.spellingOf(stray.orderIdSent)
    if (name !== stray.orderIdSent) this.#links.join([name, stray.orderIdSent])
    put(this.#strays, this.#links.firstOf(stray.orderIdSent), stray)
  }

  async #report(key: string, orders: OrderFacts[], strays: AttemptFacts[]) {
    const unknownOrders = this.#unknownIn(key, strays)
    const [{ overSharedPayments }, asOf] = [this.#links, this.scope.asOf.getTime()]
    const began = beganAt({ orders, strays, unknownOrders })
    const partner = this.#partner.known(began) ?? (await this.#partner.at(began))
    const facts = { partner, orders, strays, unknownOrders, overSharedPayments, asOf }
    await this.listener.story({ key, facts })
  }

  /** Unknown orders of the story: those of registers, and those that only a confirm of this period names. */
  #unknownIn(key: string, strays: AttemptFacts[]) {
    const sent = Map.groupBy(strays, ({ orderIdSent }) => this.#registers.spellingOf(orderIdSent))
    const names = new Set([...(this.#unknown.get(key) ?? []), ...sent.keys()])
    return [...names].flatMap(
      (name) => this.#registers.evidenceOfUnknownOrder(name, sent.get(name) ?? []) ?? []
    )
  }
}

function addReturns(order: OrderFacts, returns: Map<string, Returns>) {
  const found = returns.get(order.id)
  if (found) Object.assign(order, found)
}

function put<Value>(groups: Map<string, Value[]>, key: string, value: Value) {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}
