import type { ServerProps } from '#staff_area/page_props'
import type { GatePage } from '#gate/phones/gate_props'
import { listGateEvents } from '#gate/phones/gate_events'
import { answerWithNonce } from '#http/answer_policy'
import type { HttpContext } from '@adonisjs/core/http'

/** The page on which staff with a phone admit guests. */
export default class GateController {
  async show({ inertia, request, response, view }: HttpContext) {
    // The camera is allowed per document, so this page needs a full load.
    if (inertia.requestInfo().isInertiaRequest) return inertia.location(request.url(true))
    view.share({ cspNonce: answerWithNonce('gate_page', response.response) })
    const events = await listGateEvents()
    return inertia.render('gate/show', { events } satisfies ServerProps<GatePage>)
  }
}
