import type { GateAnswer } from '#gate/phones/gate_props'
import { findGateEvent } from '#gate/phones/gate_events'
import { readGateList } from '#gate/phones/gate_list'
import type { ServerProps } from '#staff_area/page_props'
import { filtersOf } from '#staff_area/lists'
import { listEventKeys } from '#catalog/queries/event_keys'
import type { HttpContext } from '@adonisjs/core/http'

/** The gate list of an event as JSON; phones fetch it every few seconds to decide without network. */
export default class GateListsController {
  async show(ctx: HttpContext) {
    const event = await findGateEvent.first({ event: String(ctx.params.event) })
    if (!event) return ctx.response.status(404).send({ error: 'EVENT_NOT_FOUND' })
    const { since } = filtersOf(ctx, ['since'])
    const [keys, list] = await Promise.all([listEventKeys(event.id), readGateList(event.id, since)])
    return ctx.response.json({ event, keys, list } satisfies ServerProps<GateAnswer>)
  }
}
