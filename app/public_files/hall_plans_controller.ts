import { findPlan } from '#catalog/queries/find_plan'
import type { HttpContext } from '@adonisjs/core/http'

/** A hall's SVG plan; its name is its digest, so it may be cached for ever. */
export default class HallPlansController {
  async show({ params, response }: HttpContext) {
    const svg = await findPlan(String(params.digest))
    if (!svg)
      return response
        .status(404)
        .json({ error: { code: 'NOT_FOUND', message: 'No such plan', details: {} } })
    response.header('Content-Type', 'image/svg+xml; charset=utf-8')
    response.header('Cache-Control', 'public, max-age=31536000, immutable')
    response.header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    )
    response.header('Access-Control-Allow-Origin', '*')
    response.header('X-Content-Type-Options', 'nosniff')
    return response.send(svg)
  }
}
