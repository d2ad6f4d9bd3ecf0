import type { ServerProps } from '#staff_area/page_props'
import type { GatePage } from '#gate/phones/gate_props'
import { listGateEvents } from '#gate/phones/gate_events'
import { answerWithNonce } from '#http/answer_policy'
import type { HttpContext } from '@adonisjs/core/http'

/** Where staff with a phone let guests in. */
export default class GateController {
  async show({ inertia, request, response, view }: HttpContext) {
    // The camera is allowed to a document, not to a page drawn into the document of another.
    if (inertia.requestInfo().isInertiaRequest) return inertia.location(request.url(true))
    view.share({ cspNonce: answerWithNonce('gate_page', response.response) })
    const events = await listGateEvents()
    return inertia.render('gate/show', { events } satisfies ServerProps<GatePage>)
  }
}
