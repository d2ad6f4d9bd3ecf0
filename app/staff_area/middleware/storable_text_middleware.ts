import { storable } from '#shared/storable'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** No form is as deep. */
const DEEPEST = 8

/** What somebody typed, pasted or put into an address holds nothing from here on that PostgreSQL does not keep. */
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
