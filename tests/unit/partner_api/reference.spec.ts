import type { OpenapiDocument } from '#partner_api/reference/document'
import { renderReference } from '#partner_api/reference/render_reference'
import { limitsOf, typeOf, type Schema } from '#partner_api/reference/schemas'
import { describedOperations, descriptionText } from '#tests/support/described'
import { test } from '@japa/runner'
import { parse } from 'yaml'

const document = parse(descriptionText, { merge: true, maxAliasCount: -1 }) as OpenapiDocument
const schemas = {
  Id: { type: 'string', maxLength: 64 },
  Seat: { type: 'object', required: ['id'], properties: { id: { $ref: '#/x/Id' } } },
}

test.group('API reference', () => {
  test('contains every operation, webhook, error code and field of the description', ({
    assert,
  }) => {
    const { html, contents } = renderReference(document)
    const entries = contents.flatMap((group) => group.entries)
    for (const { operation } of describedOperations()) {
      assert.include(html, `<h3 id="${operation.operationId}">`)
      assert.exists(entries.find(({ id }) => id === operation.operationId))
    }
    for (const item of Object.values(document.webhooks ?? {}))
      assert.include(html, `<h3 id="${item.post!.operationId}">`)
    const codes = new Set(descriptionText.match(/\b[A-Z]+(_[A-Z]+)+\b/g))
    for (const code of codes) assert.include(html, code)
    for (const { properties = {} } of Object.values(document.components.schemas))
      for (const [name, schema] of Object.entries(properties))
        if (schema !== false) assert.include(html, `<code>${name}</code>`)
  })

  test('every field of an object has a type', ({ assert }) => {
    const { schemas: described } = document.components
    const fields = Object.entries(described).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, schema]) => ({ path: `${name}.${field}`, schema }))
    )
    assert.isAbove(fields.length, 100)
    const untyped = fields.filter(
      ({ schema }) => typeof schema !== 'boolean' && typeOf(schema, described).text === 'any value'
    )
    assert.deepEqual(
      untyped.map(({ path }) => path),
      []
    )
  })

  const types: [schema: Schema, text: string][] = [
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ $ref: '#/x/Id' }, 'string'],
    [{ $ref: '#/x/Seat' }, 'Seat'],
    [{ type: 'array', items: { $ref: '#/x/Seat' } }, 'array of Seat'],
    [{ oneOf: [{ $ref: '#/x/Seat' }, { type: 'null' }] }, 'Seat or null'],
    [{ allOf: [{ $ref: '#/x/Id' }] }, 'string'],
    [{ const: 'KZT' }, 'string'],
    [{}, 'any value'],
  ]
  for (const [schema, text] of types) {
    test(`the type of ${JSON.stringify(schema)} is ${text}`, ({ assert }) => {
      assert.equal(typeOf(schema, schemas).text, text)
    })
  }

  const limits: [schema: Schema, words: string[]][] = [
    [{ minLength: 1, maxLength: 64 }, ['1 to 64 characters']],
    [{ $ref: '#/x/Id' }, ['at most 64 characters']],
    [{ minimum: 0, default: 0 }, ['at least 0', 'default 0']],
    [{ minItems: 2, maxItems: 2, uniqueItems: true }, ['exactly 2 items', 'no value twice']],
    [{ format: 'uuid' }, ['format uuid']],
  ]
  for (const [schema, words] of limits) {
    test(`the limits of ${JSON.stringify(schema)} are in words`, ({ assert }) => {
      assert.deepEqual(limitsOf(schema, schemas), words)
    })
  }
})
