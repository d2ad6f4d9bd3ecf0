import type { Schema, Schemas } from '#partner_api/reference/schemas'

/** The parts of an OpenAPI document that the reference shows. */
export interface OpenapiDocument {
  info: { title: string; version: string; summary?: string; description?: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: {
    schemas: Schemas
    parameters: Record<string, Parameter>
    responses: Record<string, Answer>
    examples: Record<string, Example>
    headers: Record<string, object>
    securitySchemes: Record<string, { name: string; description?: string }>
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]
type PathItem = { parameters?: Referred<Parameter>[] } & Partial<Record<Method, OperationItem>>
type Referred<Item> = Item | { $ref: string }

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export interface Example {
  summary?: string
  description?: string
  value: unknown
}

interface Media {
  schema?: Schema
  examples?: Record<string, Referred<Example>>
}

export interface Answer {
  description: string
  content?: Record<string, Media>
}

interface OperationItem {
  operationId: string
  tags?: string[]
  summary: string
  description?: string
  security?: object[]
  parameters?: Referred<Parameter>[]
  requestBody?: { description?: string; required?: boolean; content: Record<string, Media> }
  responses: Record<string, Referred<Answer>>
}

/** A request or response body: media type, schema and examples. */
export interface Body {
  mediaType: string
  schema?: Schema
  examples: Example[]
}

export interface Operation {
  id: string
  tag: string
  /** `POST /bookings`; a webhook has the name of its event in place of a path. */
  method: string
  path: string
  summary: string
  description: string
  isPublic: boolean
  parameters: Parameter[]
  body: Body | null
  answers: { status: string; description: string; body: Body | null }[]
}

/** All operations and webhooks in the order of the document, with references resolved. */
export function operationsOf(document: OpenapiDocument): Operation[] {
  const items = [...Object.entries(document.paths), ...Object.entries(document.webhooks ?? {})]
  return items.flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [operationOf(document, path, method, item, operation)] : []
    })
  )
}

function operationOf(
  document: OpenapiDocument,
  path: string,
  method: Method,
  item: PathItem,
  operation: OperationItem
): Operation {
  const { parameters, responses } = document.components
  const given = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  const content = operation.requestBody?.content
  return {
    id: operation.operationId,
    tag: operation.tags?.[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    isPublic: operation.security?.length === 0,
    parameters: given.map((one) => resolveRef(one, parameters)),
    body: content ? bodyOf(document, content) : null,
    answers: Object.entries(operation.responses).map(([status, answer]) => {
      const { description, content: answered } = resolveRef(answer, responses)
      return { status, description, body: answered ? bodyOf(document, answered) : null }
    }),
  }
}

function bodyOf({ components }: OpenapiDocument, content: Record<string, Media>): Body | null {
  const [first] = Object.entries(content)
  if (!first) return null
  const [mediaType, { schema, examples = {} }] = first
  const shown = Object.values(examples).map((one) => resolveRef(one, components.examples))
  return { mediaType, schema, examples: shown }
}

function resolveRef<Item extends object>(item: Referred<Item>, named: Record<string, Item>): Item {
  if (!('$ref' in item)) return item
  const { $ref, ...own } = item
  return { ...named[$ref.slice($ref.lastIndexOf('/') + 1)], ...own } as Item
}
