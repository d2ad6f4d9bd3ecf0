import type { Answer } from '#tests/support/partner_client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Json = Record<string, any>

export const descriptionText = readFileSync(
  new URL('../../docs/api/openapi.yaml', import.meta.url),
  'utf8'
)
const document = parse(descriptionText, { merge: true, maxAliasCount: -1 }) as Json

const ajv = new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true })
;(formats as unknown as (instance: Ajv2020) => void)(ajv)
const ROOT = 'https://tickets.test/openapi.json'
ajv.addSchema({ $id: ROOT, ...document })

/** `GET /events 200`, with the error code when there is one: what the suite has seen answered. */
export const asserted = new Set<string>()

const PATHS = Object.keys(document.paths as Json)
  .map((pattern) => ({
    pattern,
    expression: new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.pattern.split('{').length - b.pattern.split('{').length)

const resolve = (value: Json): Json =>
  value.$ref
    ? resolve(
        (value.$ref as string)
          .slice(2)
          .split('/')
          .reduce((node, key) => node[key.replaceAll('~1', '/')], document)
      )
    : value

export interface DescribedOperation {
  /** `GET /events/{event_id}` */
  name: string
  operation: Json
}

/** Every operation of the description. */
export const describedOperations = (): DescribedOperation[] =>
  Object.entries(document.paths as Json).flatMap(([path, item]) =>
    Object.entries(item as Json)
      .filter(([method]) => ['get', 'post'].includes(method))
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
  )

/** `GET /events 422 INVALID_PARAMETERS`: each answer that is described, with each code in its examples. */
export const describedAnswers = (): string[] =>
  describedOperations().flatMap(({ name, operation }) =>
    Object.entries(operation.responses as Json).flatMap(([status, response]) => {
      const [media] = Object.values((resolve(response as Json).content ?? {}) as Json)
      const codes = Number(status) < 400 ? [] : Object.keys((media as Json)?.examples ?? {})
      return [`${name} ${status}`, ...codes.map((code) => `${name} ${status} ${code}`)]
    })
  )

/** The value of an example of an answer; those of a failure are named by its code. */
export function describedResponse(name: string, status: number, code: string): Json {
  const { operation } = describedOperations().find((one) => one.name === name)!
  const [media] = Object.values(
    resolve(operation.responses[String(status)] as Json).content as Json
  )
  return resolve((media as Json).examples[code] as Json).value as Json
}

/** Every example of a failure, by its code. */
export const describedFailures = (): Failure[] =>
  Object.values({ ...document.components.responses } as Json)
    .flatMap(({ content }: Json) =>
      Object.entries((content?.['application/json']?.examples ?? {}) as Json)
    )
    .map(([code, example]) => ({ code, error: resolve(example as Json).value.error as Json }))

/** Every example of a body that an operation takes, with the operation's name. */
export const describedBodies = () =>
  describedOperations().flatMap(({ name, operation }) => {
    const examples = (operation.requestBody?.content['application/json'].examples ?? {}) as Json
    return Object.values(examples).map((example) => ({
      name,
      body: (example as Json).value as Json,
    }))
  })

interface Failure {
  code: string
  error: Json
}

/** The body that an operation takes, or its query as an object, with references and `allOf` put in place. */
export function describedRequest(name: string): Json {
  const { operation } = describedOperations().find((one) => one.name === name)!
  if (operation.requestBody) {
    return expanded(operation.requestBody.content['application/json'].schema as Json)
  }
  const query = ((operation.parameters ?? []) as Json[])
    .map(resolve)
    .filter((one) => one.in === 'query')
  return expanded({
    type: 'object',
    required: query.filter((one) => one.required).map((one) => one.name),
    properties: Object.fromEntries(query.map((one) => [one.name, one.schema])),
  })
}

function expanded(schema: Json): Json {
  const { $ref, allOf = [], ...own } = schema
  const parts: Json[] = [...($ref ? [resolve(schema)] : []), ...(allOf as Json[])].map(expanded)
  const whole = parts.reduce(merged, own)
  const { properties, items } = whole
  return {
    ...whole,
    ...(items && { items: expanded(items as Json) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties as Json)
          .filter(([, value]) => value !== true)
          .map(([key, value]) => [key, expanded(value as Json)])
      ),
    }),
  }
}

const merged = (whole: Json, part: Json): Json => ({
  ...part,
  ...whole,
  ...((whole.properties ?? part.properties) && {
    properties: { ...whole.properties, ...part.properties },
    required: [...(whole.required ?? []), ...(part.required ?? [])],
  }),
})

/** The description of a schema, on one line. */
export const descriptionOf = (schema: string): string =>
  (document.components.schemas[schema].description as string).replace(/\s+/g, ' ')

/** Fails when a value is not as the named schema says. */
export function assertMatchesSchema(name: string, value: unknown) {
  const validate = ajv.getSchema(`${ROOT}#/components/schemas/${name}`)!
  if (!validate(value)) throw new Error(`${name}: ${ajv.errorsText(validate.errors)}`)
}

/** Fails when an answer is not what docs/api/openapi.yaml says for this operation and status. */
export function assertDescribed(method: string, path: string, answer: Answer) {
  const known = PATHS.find(({ expression }) => expression.test(path.split('?')[0]))
  const operation = known && (document.paths as Json)[known.pattern][method.toLowerCase()]
  if (!operation) return
  const name = `${method} ${known.pattern}`
  const described = operation.responses[String(answer.status)]
  if (!described)
    throw new Error(`${name} answered ${answer.status}, which is not described: ${answer.text}`)
  asserted.add(`${name} ${answer.status}`)
  if (answer.error) asserted.add(`${name} ${answer.status} ${answer.error.code}`)
  assertHeaders(name, resolve(described), answer)
  assertBody(name, described, answer)
}

function assertHeaders(name: string, described: Json, { headers, status }: Answer) {
  for (const [header, value] of Object.entries((described.headers ?? {}) as Json)) {
    if (resolve(value as Json).required && !headers.has(header)) {
      throw new Error(`${name} ${status} lacks the header ${header}`)
    }
  }
}

function assertBody(name: string, described: Json, { status, json }: Answer) {
  const content = resolve(described).content as Json | undefined
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (!type || !(media as Json).schema) return
  const key = `${name} ${status}`
  const validate =
    ajv.getSchema(key) ?? ajv.addSchema(relocated((media as Json).schema), key).getSchema(key)!
  if (!validate(json))
    throw new Error(`${key}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(json)}`)
}

/** Local references of a fragment, made absolute. */
function relocated(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${ROOT}#/`)
  return JSON.parse(text) as Json
}
