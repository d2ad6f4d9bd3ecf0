import { escapeHtml, marked } from '#partner_api/reference/html'
import {
  limitsOf,
  resolveSchema,
  typeOf,
  valuesOf,
  type Schema,
  type Schemas,
} from '#partner_api/reference/schemas'

export interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string
}

export const objectId = (name: string) => `schema-${name}`

export function fieldsOf(schema: Schema, schemas: Schemas): Field[] {
  const { properties = {}, required = [] } = resolveSchema(schema, schemas)
  return Object.entries(properties).flatMap(([name, value]) =>
    typeof value === 'boolean' ? [] : [{ name, schema: value, isRequired: required.includes(name) }]
  )
}

/** A list of fields or parameters: name, type, required or not, description and limits. */
export function renderFields(fields: Field[], schemas: Schemas): string {
  if (fields.length === 0) return ''
  return `<dl class="fields">${fields.map((field) => renderField(field, schemas)).join('')}</dl>\n`
}

function renderField({ name, schema, isRequired, description }: Field, schemas: Schemas) {
  const required = isRequired ? '<span class="required">required</span>' : ''
  const about =
    description ?? schema.description ?? resolveSchema(schema, schemas).description ?? ''
  return (
    `<div><dt><code>${escapeHtml(name)}</code> ${renderType(schema, schemas)} ${required}</dt>` +
    `<dd>${marked.parse(about, { async: false })}${renderLimits(schema, schemas)}</dd></div>`
  )
}

export function renderType(schema: Schema, schemas: Schemas): string {
  const { text, object } = typeOf(schema, schemas)
  const label = escapeHtml(text)
  if (!object) return `<span class="type">${label}</span>`
  const link = `<a href="#${objectId(object)}">${object}</a>`
  return `<span class="type">${label.replace(object, link)}</span>`
}

function renderLimits(schema: Schema, schemas: Schemas): string {
  const items = resolveSchema(schema, schemas).items ?? {}
  const codes = (values: string[]) =>
    values.map((value) => `<code>${escapeHtml(value)}</code>`).join(', ')
  const { pattern, examples = [] } = resolveSchema(schema, schemas)
  const values = [...valuesOf(schema, schemas), ...valuesOf(items, schemas)]
  const lines = [
    limitsOf(schema, schemas).map(escapeHtml).join(', '),
    values.length > 0 ? `${values.length === 1 ? 'always' : 'one of'} ${codes(values)}` : '',
    pattern ? `pattern ${codes([pattern])}` : '',
    examples.length > 0 ? `for example ${codes(examples.map((one) => JSON.stringify(one)))}` : '',
  ].filter((line) => line !== '')
  return lines.length > 0 ? `<p class="limits">${lines.join('; ')}</p>` : ''
}
