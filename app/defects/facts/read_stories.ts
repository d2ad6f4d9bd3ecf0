import {
  beganAt,
  distinct,
  type AttemptFacts,
  type CaseFacts,
  type OrderFacts,
} from '#defects/facts/facts'
import type { Links } from '#defects/facts/links'
import { findLinks } from '#defects/facts/find_links'
import { findOlder } from '#defects/facts/find_older'
import { factsOfOrders, factsOfPeriod, readStrays } from '#defects/facts/read_facts'
import { PartnerDays } from '#defects/facts/partner_days'
import { returnsOfOrders, returnsOfPeriod, type Returns } from '#defects/facts/read_voids'
import { EvidenceSource, type Evidence } from '#defects/facts/evidence'
import { takeTime } from '#shared/patience'
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
    await takeTime(trx)
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
    const strays = await this.#joinStrays([...older, ...names])
    // All joins are made. From here on, an order or a confirm is filed under the story that it will be reported with.
    for (const stray of strays) put(this.#strays, this.#links.firstOf(stray.orderIdSent), stray)
    for (const name of names) put(this.#unknown, this.#links.firstOf(name), name)
    const [from, to] = [scope.from.getTime(), scope.to.getTime()]
    const received = strays.filter(({ receivedAt }) => receivedAt >= from && receivedAt < to)
    await this.#readPeriod()
    const keys = new Set(this.#linked.keys())
    for (const id of [...older, ...names, ...received.map(({ orderIdSent }) => orderIdSent)])
      keys.add(this.#links.firstOf(id))
    await this.#addNeighbours(keys, older)
    for (const key of keys)
      await this.#report(key, this.#linked.get(key) ?? [], this.#strays.get(key) ?? [])
    return { orders: this.#orders, older }
  }

  async #findOlder() {
    if (!this.scope.withOlder) return []
    const { ids, groups } = await findOlder(this.scope, this.#partner.longestRefundDays, this.trx)
    for (const group of groups) this.#links.join(group)
    return ids
  }

  /**
   * Reads the confirms of unknown orders: those of the period, and those of any time whose order is asked for or joined to others.
   * A spreadsheet may have changed the spelling of an order in the register: both names are one order. Returns them in the order
   * of arrival.
   */
  async #joinStrays(asked: string[]) {
    const found = new Map<string, AttemptFacts>()
    const readIds = new Set<string>()
    const read = async (ids: string[], period: { from: Date; to: Date }) => {
      for (const id of ids) readIds.add(id)
      for (const stray of await readStrays({ ...this.scope, ...period }, ids, this.trx)) {
        found.set(stray.id, stray)
        const name = this.#registers.spellingOf(stray.orderIdSent)
        if (name !== stray.orderIdSent) this.#links.join([name, stray.orderIdSent])
      }
    }
    const { from, to } = this.scope
    await read([...asked, ...this.#links.ids], { from, to })
    // A joined name is a further one, under which the same order may have been confirmed at other times.
    const further = () => this.#links.ids.filter((id) => !readIds.has(id))
    for (let ids = further(); ids.length > 0; ids = further()) await read(ids, { from, to: from })
    return [...found.values()].toSorted((a, b) => a.receivedAt - b.receivedAt)
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

  /** Adds the stories' orders of other periods: those that share a payment with one of this period, and older ones. */
  async #addNeighbours(keys: ReadonlySet<string>, older: string[]) {
    const here = new Set([...this.#linked.values()].flat().map(({ id }) => id))
    const ids = new Set([...older, ...this.#links.ids])
    const missing = [...ids].filter((id) => !here.has(id) && keys.has(this.#links.firstOf(id)))
    if (missing.length === 0) return
    const returns = await returnsOfOrders(this.scope.partnerId, missing, this.trx)
    for await (const order of factsOfOrders(this.scope, missing, this.trx)) {
      addReturns(order, returns)
      this.#registers.addTo(order)
      put(this.#linked, this.#links.firstOf(order.id), order)
    }
  }

  async #report(key: string, orders: OrderFacts[], strays: AttemptFacts[]) {
    const unknownOrders = this.#unknownIn(key, strays)
    if (orders.length + strays.length + unknownOrders.length === 0) return
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
    return [...names].flatMap((name) => {
      const confirms = sent.get(name) ?? []
      const order = this.#registers.evidenceOfUnknownOrder(name, confirms)
      const spellings = distinct([name, ...confirms.map(({ orderIdSent }) => orderIdSent)])
      return order ? { ...order, names: spellings } : []
    })
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
