import { storable } from '#shared/storable'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** No form is nested deeper. */
const DEEPEST = 8

/** Removes characters that PostgreSQL cannot store from the body and the route parameters. */
export default class StorableTextMiddleware {
  handle({ request, params }: HttpContext, next: NextFn) {
    request.updateBody(removeUnstorable(request.body()))
    Object.assign(params, removeUnstorable(params))
    return next()
  }
}

function removeUnstorable<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return storable(value) as Value
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((item) => removeUnstorable(item, depth + 1)) as Value
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    removeUnstorable(item, depth + 1),
  ])
  return Object.fromEntries(entries) as Value
}
