import type { Answer } from '#tests/support/partner_client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Json = Record<string, any>

const document = parse(
  readFileSync(new URL('../../docs/api/openapi.yaml', import.meta.url), 'utf8'),
  {
    merge: true,
    maxAliasCount: -1,
  }
) as Json

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

/** Every described operation with its statuses. */
export function describedAnswers(): { operation: string; status: string }[] {
  return Object.entries(document.paths as Json).flatMap(([path, item]) =>
    Object.entries(item as Json)
      .filter(([method]) => ['get', 'post'].includes(method))
      .flatMap(([method, operation]) =>
        Object.keys((operation as Json).responses).map((status) => ({
          operation: `${method.toUpperCase()} ${path}`,
          status,
        }))
      )
  )
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
