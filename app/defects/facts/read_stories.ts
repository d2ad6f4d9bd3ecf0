import {
  beganAt,
  distinct,
  type AttemptFacts,
  type CaseFacts,
  type OrderFacts,
} from '#defects/facts/facts'
import { creditedAttempts } from '#defects/facts/credited_attempts'
import type { OrderGroups } from '#defects/facts/order_groups'
import { findOrderGroups } from '#defects/facts/find_order_groups'
import { countOrdinaryOrders } from '#defects/facts/ordinary_orders'
import type { SharedIds } from '#defects/facts/constant_ids'
import type { Tally } from '#defects/facts/partner_tally'
import { findOlderOrders } from '#defects/facts/find_older_orders'
import { factsOfOrders, readConfirmsOfUnknownOrders } from '#defects/facts/read_facts'
import { PartnerFactsByDay } from '#defects/facts/partner_facts_by_day'
import {
  ticketFactsOfOrders,
  ticketFactsOfPeriod,
  type TicketFacts,
} from '#defects/facts/read_ticket_facts'
import { EvidenceSource, type Evidence } from '#defects/facts/evidence'
import { appendTo } from '#shared/append_to'
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

/** Orders and confirms that share orders or payments; the rules judge them together. */
export interface Story {
  /** The least id of its orders; what it is stored under, unless it inherits a case. */
  key: string
  /** Ids of its orders, ours and unknown ones. */
  members: string[]
  facts: CaseFacts
}

export interface Listener {
  story: (story: Story) => Promise<void> | void
  /** Called once per order of the period that is read, with the ids that are no payment of their orders. */
  order?: (order: OrderFacts, ids: SharedIds) => void
  /** Called once per day of the period with its ordinary orders, which are counted and not read. */
  ordinaryOrders?: (day: string, counted: Tally) => void
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

/** Works out what newly confirmed registers of a partner show. Called before the snapshot in which its stories are read. */
export async function keepEvidence(partnerId: number, signal?: AbortSignal) {
  const source = await app.container.make(EvidenceSource)
  await source.keep(partnerId, signal)
}

/**
 * Passes the stories of a partner's period to the listener, but those of one ordinary order: no rule finds anything in them. Most
 * of the others are one order too, and are passed on as soon as it is read.
 */
export const readStories = (
  scope: StoriesScope,
  listener: Listener,
  trx: TransactionClientContract
) => new StoryReader(scope, listener, trx).run()

class StoryReader {
  #partner!: PartnerFactsByDay
  #groups!: OrderGroups
  #sharedIds!: SharedIds
  #registers!: Evidence
  #orders = 0
  readonly #linked = new Map<string, OrderFacts[]>()
  readonly #confirmsOfUnknownOrders = new Map<string, AttemptFacts[]>()

  constructor(
    private readonly scope: StoriesScope,
    private readonly listener: Listener,
    private readonly trx: TransactionClientContract
  ) {}

  async run() {
    const { scope, trx } = this
    this.#partner = await PartnerFactsByDay.of(scope.partnerId, scope.asOf, trx)
    await this.#partner.measure(scope)
    const found = await findOrderGroups(scope, trx)
    this.#groups = found.groups
    this.#sharedIds = found.ids
    const older = await this.#findOlderOrders()
    const tickets = await ticketFactsOfPeriod(scope, trx)
    this.#registers = await this.#readRegisters([...older, ...tickets.keys()])
    for (const group of this.#registers.groups) this.#groups.join(group)
    const names = [...this.#registers.unknownIn(scope, older)]
    const confirms = await this.#readConfirmsOfUnknownOrders([...older, ...names])
    // All joins are made. From here on, an order or a confirm is filed under the story that it will be reported with.
    for (const confirm of confirms)
      appendTo(this.#confirmsOfUnknownOrders, this.#groups.firstOf(confirm.orderIdSent), confirm)
    const [from, to] = [scope.from.getTime(), scope.to.getTime()]
    const received = confirms.filter(({ receivedAt }) => receivedAt >= from && receivedAt < to)
    await this.#readPeriod(tickets)
    const keys = new Set(this.#linked.keys())
    for (const id of [...older, ...names, ...received.map(({ orderIdSent }) => orderIdSent)])
      keys.add(this.#groups.firstOf(id))
    if (scope.withOlder)
      for (const { orderIds } of this.#sharedIds.constantIds.values())
        keys.add(this.#groups.firstOf(orderIds[0]))
    await this.#addNeighbours(keys, older)
    for (const key of keys)
      await this.#report(key, this.#linked.get(key), this.#confirmsOfUnknownOrders.get(key))
    return { orders: this.#orders, older }
  }

  /** Also of orders with refunds: which register shows the charge decides which one has to show the refund. */
  async #readRegisters(asked: string[]) {
    const { scope, trx } = this
    const confirms = await readConfirmsOfUnknownOrders(scope, [], trx)
    const unknown = confirms.map(({ orderIdSent }) => orderIdSent)
    const source = await app.container.make(EvidenceSource)
    return source.read({ ...scope, orderIds: [...this.#groups.ids, ...asked, ...unknown] }, trx)
  }

  async #findOlderOrders() {
    if (!this.scope.withOlder) return []
    const { ids, groups } = await findOlderOrders(
      this.scope,
      this.#partner.longestRefundDays,
      this.trx
    )
    for (const group of groups) this.#groups.join(group)
    return ids
  }

  /**
   * Reads the confirms of unknown orders: those of the period, and those of any time whose order is asked for or joined to others.
   * A spreadsheet may have changed the spelling of an order in the register: both names are one order. Returns them in the order
   * of arrival.
   */
  async #readConfirmsOfUnknownOrders(asked: string[]) {
    const found = new Map<string, AttemptFacts>()
    const readIds = new Set<string>()
    const read = async (ids: string[], period: { from: Date; to: Date }) => {
      for (const id of ids) readIds.add(id)
      const scope = { ...this.scope, ...period }
      for (const confirm of await readConfirmsOfUnknownOrders(scope, ids, this.trx)) {
        found.set(confirm.id, confirm)
        const name = this.#registers.spellingOf(confirm.orderIdSent)
        if (name !== confirm.orderIdSent) this.#groups.join([name, confirm.orderIdSent])
      }
    }
    const { from, to } = this.scope
    await read([...asked, ...this.#groups.ids], { from, to })
    // A joined name is a further one, under which the same order may have been confirmed at other times.
    const further = () => this.#groups.ids.filter((id) => !readIds.has(id))
    for (let ids = further(); ids.length > 0; ids = further()) await read(ids, { from, to: from })
    return [...found.values()].toSorted((a, b) => a.receivedAt - b.receivedAt)
  }

  async #readPeriod(tickets: Map<string, TicketFacts>) {
    const { scope, trx, listener } = this
    const known = [...this.#groups.ids, ...tickets.keys(), ...this.#registers.orderIds()]
    const meaningless = [...this.#sharedIds.meaninglessIds]
    for (const day of await countOrdinaryOrders({ ...scope, known, meaningless }, trx)) {
      this.#orders += day.ordinary.created
      listener.ordinaryOrders?.(day.day, day.ordinary)
      for await (const order of factsOfOrders(scope, day.otherIds, trx)) {
        this.#orders++
        addTicketFacts(order, tickets)
        listener.order?.(order, this.#sharedIds)
        if (!this.#groups.has(order.id)) await this.#report(order.id, [order])
        else appendTo(this.#linked, this.#groups.firstOf(order.id), order)
      }
    }
  }

  /** Adds the stories' orders of other periods: those that share a payment with one of this period, and older ones. */
  async #addNeighbours(keys: ReadonlySet<string>, older: string[]) {
    const here = new Set([...this.#linked.values()].flat().map(({ id }) => id))
    const ids = new Set([...older, ...this.#groups.ids])
    const missing = [...ids].filter((id) => !here.has(id) && keys.has(this.#groups.firstOf(id)))
    if (missing.length === 0) return
    const tickets = await ticketFactsOfOrders(this.scope.partnerId, missing, this.trx)
    for await (const order of factsOfOrders(this.scope, missing, this.trx)) {
      addTicketFacts(order, tickets)
      appendTo(this.#linked, this.#groups.firstOf(order.id), order)
    }
  }

  async #report(
    key: string,
    orders: OrderFacts[] = [],
    confirmsOfUnknownOrders: AttemptFacts[] = []
  ) {
    const about = {
      orders,
      confirmsOfUnknownOrders,
      ...this.#evidenceOf(key, orders, confirmsOfUnknownOrders),
    }
    if (orders.length + confirmsOfUnknownOrders.length + about.registerRows.length === 0) return
    const asOf = this.scope.asOf.getTime()
    const began = beganAt(about)
    const partner = this.#partner.known(began) ?? (await this.#partner.at(began))
    const { days: registerDays, sourcesSharingIds } = this.#registers
    await this.listener.story({
      key,
      members: this.#groups.membersOf(key),
      facts: { partner, ...about, registerDays, sourcesSharingIds, ...this.#sharedIds, asOf },
    })
  }

  /** What registers show of the story's orders; an unknown one goes by the name that a confirm has sent. */
  #evidenceOf(key: string, orders: OrderFacts[], confirms: AttemptFacts[]) {
    if (this.#registers.days.length === 0) return NO_EVIDENCE
    const sent = new Map(
      confirms.map(({ orderIdSent }) => [this.#registers.spellingOf(orderIdSent), orderIdSent])
    )
    const members = this.#groups.membersOf(key)
    const ids = [...orders.map(({ id }) => id), ...members, ...sent.keys()]
    const paymentsOf = () => [
      ...orders.map(({ payment }) => payment),
      ...orders.flatMap(creditedAttempts),
      ...confirms,
    ]
    const rows = this.#registers.rowsOf(distinct(ids), () =>
      paymentsOf().flatMap((one) => one?.paymentId ?? [])
    )
    return {
      registerRows: rows.map((row) => ({
        ...row,
        orderIds: row.orderIds.map((id) => sent.get(id) ?? id),
      })),
      missingOrders: this.#registers.missingOf(orders.map(({ id }) => id)),
    }
  }
}

const NO_EVIDENCE: Pick<CaseFacts, 'registerRows' | 'missingOrders'> = {
  registerRows: [],
  missingOrders: [],
}

function addTicketFacts(order: OrderFacts, tickets: Map<string, TicketFacts>) {
  const found = tickets.get(order.id)
  if (found) Object.assign(order, found)
}
