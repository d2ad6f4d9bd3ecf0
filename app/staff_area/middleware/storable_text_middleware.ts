import { storable } from '#shared/storable'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** No form is nested deeper. */
const DEEPEST = 8

/** Removes characters that PostgreSQL cannot store from the body and the route parameters. */
export default class StorableTextMiddleware {
  handle({ request, params }: HttpContext, next: NextFn) {
    request.updateBody(cleaned(request.body()))
    Object.assign(params, cleaned(params))
    return next()
  }
}

function cleaned<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return storable(value) as Value
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1)) as Value
  const entries = Object.entries(value).map(([name, item]) => [name, cleaned(item, depth + 1)])
  return Object.fromEntries(entries) as Value
}
