import { readOrders } from '#back_office/orders/list_orders'
import { titleOfEvent } from '#staff_area/event_title'
import {
  ORDER_FILTERS,
  type OrderPage,
  type OrderSettlement,
  type OrdersPage,
} from '#back_office/orders/orders_props'
import { findRecords } from '#back_office/orders/find_records'
import type { ServerProps } from '#staff_area/page_props'
import { readBuyerToErase } from '#back_office/orders/read_buyer'
import { readOrder } from '#back_office/orders/read_order'
import { readOrderSettlement, casesOfOrder } from '#back_office/orders/read_order_settlement'
import { partnerChoices } from '#staff_area/partner_choices'
import { may } from '#staff_area/permissions'
import { filtersOf } from '#staff_area/lists'
import platform from '#config/platform'
import { refuse } from '#shared/refusals'
import type { Role } from '#staff/role'
import type { HttpContext } from '@adonisjs/core/http'

export default class OrdersController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, ORDER_FILTERS)
    const { role } = ctx.auth.use('staff').getUserOrFail()
    const event = filters.event ? await titleOfEvent.first({ event: filters.event }) : undefined
    return ctx.inertia.render('orders/index', {
      filters,
      orders: () => readOrders(filters),
      records: async () => (filters.q === null ? [] : findRecords(filters.q, role)),
      partners: () => partnerChoices({}),
      event: event?.title ?? null,
    } satisfies ServerProps<OrdersPage>)
  }

  async show({ inertia, params, auth }: HttpContext) {
    const { role } = auth.use('staff').getUserOrFail()
    const page = await readOrder(String(params.id))
    if (!page) refuse('ORDER_NOT_FOUND')
    return inertia.render('orders/show', {
      ...page,
      settlement: await settlementFor(role, page.order.id),
      buyerToErase: may(role, 'buyers.erase') ? await readBuyerToErase(page.order.id) : null,
      returnsSeats: platform.contractPhase === 2,
    } satisfies ServerProps<OrderPage>)
  }
}

/** Those who answer buyers see the order's cases, and those who may read settlement the rest of it. */
async function settlementFor(role: Role, orderId: string): Promise<OrderSettlement | null> {
  if (may(role, 'settlement.read')) return readOrderSettlement(orderId)
  if (!may(role, 'cases.read')) return null
  return {
    cases: await casesOfOrder({ id: orderId }),
    registerLines: [],
    partsOfRegisters: {},
    statements: [],
  }
}
