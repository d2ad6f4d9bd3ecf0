/** The keywords of a schema that the reference shows; conditions are described in words. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema | boolean>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
}

export type Schemas = Record<string, Schema>

export const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** A schema with its `$ref` and `allOf` merged in. */
export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf = [], ...own } = schema
  const parts = [...($ref ? [schemas[nameOf($ref)] ?? {}] : []), ...allOf]
  return parts.map((part) => resolveSchema(part, schemas)).reduce(mergeSchemas, own)
}

/** Texts of the first win, fields of both are kept. */
function mergeSchemas(whole: Schema, part: Schema): Schema {
  const both = { ...part, ...whole }
  if (whole.properties || part.properties) {
    both.properties = { ...part.properties, ...whole.properties }
    both.required = [...(part.required ?? []), ...(whole.required ?? [])]
  }
  return both
}

/** Whether the schema has fields; the reference then has a section for it. */
export const hasFields = (schema: Schema, schemas: Schemas) =>
  Object.keys(resolveSchema(schema, schemas).properties ?? {}).length > 0

export interface TypeLabel {
  text: string
  /** The object that the label links to. */
  object?: string
}

/** `string`, `array of Ticket`, `Customer or null`. */
export function typeOf(schema: Schema, schemas: Schemas): TypeLabel {
  if (schema.$ref && hasFields(schema, schemas)) {
    return { text: nameOf(schema.$ref), object: nameOf(schema.$ref) }
  }
  const whole = resolveSchema(schema, schemas)
  const choices = whole.oneOf ?? whole.anyOf
  if (choices) {
    const labels = choices.map((choice) => typeOf(choice, schemas))
    const texts = [...new Set(labels.map(({ text }) => text))]
    return { text: texts.join(' or '), object: labels.find(({ object }) => object)?.object }
  }
  if (whole.items) {
    const { text, object } = typeOf(whole.items, schemas)
    return { text: `array of ${text}`, object }
  }
  const types = [whole.type ?? typeOfValue(whole.const ?? whole.enum?.[0])].flat()
  return { text: types.join(' or ') }
}

const typeOfValue = (value: unknown) => (value === undefined ? 'any value' : typeof value)

/** The limits of a value in words: `1 to 64 characters`, `format uuid`. */
export function limitsOf(schema: Schema, schemas: Schemas): string[] {
  const whole = resolveSchema(schema, schemas)
  const limits = [
    describeLimits(whole.minLength, whole.maxLength, 'characters'),
    describeLimits(whole.minItems, whole.maxItems, 'items'),
    describeLimits(whole.minimum, whole.maximum, ''),
    whole.uniqueItems ? 'no value twice' : '',
    whole.format ? `format ${whole.format}` : '',
    whole.default === undefined ? '' : `default ${JSON.stringify(whole.default)}`,
  ]
  return limits.filter((limit) => limit !== '')
}

function describeLimits(least: number | undefined, most: number | undefined, unit: string) {
  if (least === undefined && most === undefined) return ''
  return `${describeRange(least, most)} ${unit}`.trim()
}

function describeRange(least: number | undefined, most: number | undefined) {
  if (least === most) return `exactly ${least}`
  if (most === undefined) return `at least ${least}`
  return least === undefined ? `at most ${most}` : `${least} to ${most}`
}

/** The values of an enumeration. */
export function valuesOf(schema: Schema, schemas: Schemas): string[] {
  const { enum: choices, const: only } = resolveSchema(schema, schemas)
  return (choices ?? (only === undefined ? [] : [only])).map((value) => JSON.stringify(value))
}
