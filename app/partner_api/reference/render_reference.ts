import {
  operationsOf,
  type Body,
  type Example,
  type OpenapiDocument,
  type Operation,
} from '#partner_api/reference/document'
import { fieldsOf, objectId, renderFields, renderType } from '#partner_api/reference/fields'
import { codeBlock, escapeHtml, marked, slugOf } from '#partner_api/reference/html'
import { hasFields, type Schemas } from '#partner_api/reference/schemas'
import type { Tokens } from 'marked'

export interface ContentsEntry {
  id: string
  title: string
  method?: string
  /** Further words for the search. */
  words?: string
}

export interface Reference {
  title: string
  version: string
  contents: { title: string; entries: ContentsEntry[] }[]
  html: string
}

const tagId = (name: string) => `tag-${slugOf(name)}`

/** The OpenAPI document as one page of HTML: introduction, operations, objects. */
export function renderReference(document: OpenapiDocument): Reference {
  const { info, components } = document
  const { schemas } = components
  const introduction = info.description ?? ''
  const objects = Object.keys(schemas).filter((name) => hasFields(schemas[name], schemas))
  const operations = operationsOf(document)
  return {
    title: info.title,
    version: info.version,
    contents: [
      { title: 'About', entries: chaptersOf(introduction) },
      ...document.tags.map(({ name }) => ({
        title: name,
        entries: operations.filter(({ tag }) => tag === name).map((one) => entryOf(one, schemas)),
      })),
      { title: 'Objects', entries: objects.map((name) => ({ id: objectId(name), title: name })) },
    ],
    html: [
      marked.parse(introduction, { async: false }),
      renderCredentials(document),
      ...document.tags.map((tag) => renderTag(tag, operations, schemas)),
      `<h2 id="objects"><a href="#objects">Objects</a></h2>`,
      ...objects.map((name) => renderObject(name, schemas)),
    ].join('\n'),
  }
}

function chaptersOf(markdown: string): ContentsEntry[] {
  const headings = marked
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
  const chapters = headings.map(({ text }) => ({ id: slugOf(text), title: text }))
  return [...chapters, { id: 'headers', title: 'Headers of a signed request' }]
}

function entryOf(
  { id, summary, method, path, body, answers, parameters }: Operation,
  schemas: Schemas
) {
  const fields = body?.schema ? fieldsOf(body.schema, schemas) : []
  const codes = answers.flatMap((answer) => (answer.body?.examples ?? []).map(codeOf))
  const names = [...parameters, ...fields].map(({ name }) => name)
  const words = [...new Set([method, path, id, ...names, ...codes])].join(' ')
  return { id, title: summary, method, words }
}

/** The error code in an example; empty when there is none. */
const codeOf = ({ value }: Example) =>
  (value as { error?: { code?: string } } | null)?.error?.code ?? ''

function renderCredentials({ components }: OpenapiDocument) {
  const fields = Object.values(components.securitySchemes).map(({ name, description }) => ({
    name,
    schema: { type: 'string' },
    isRequired: true,
    description,
  }))
  const heading = 'Headers of a signed request'
  return `<h2 id="headers"><a href="#headers">${heading}</a></h2>\n${renderFields(fields, components.schemas)}`
}

function renderTag(
  { name, description = '' }: { name: string; description?: string },
  operations: Operation[],
  schemas: Schemas
) {
  const id = tagId(name)
  return [
    `<h2 id="${id}"><a href="#${id}">${escapeHtml(name)}</a></h2>`,
    marked.parse(description, { async: false }),
    ...operations.filter(({ tag }) => tag === name).map((one) => renderOperation(one, schemas)),
  ].join('\n')
}

function renderOperation(operation: Operation, schemas: Schemas) {
  const { id, method, path, summary, description, isPublic, body, answers } = operation
  const parameters = operation.parameters.map(({ name, in: place, required, ...parameter }) => ({
    name,
    isRequired: required ?? false,
    schema: parameter.schema,
    description: `${parameter.description ?? ''} *(${place})*`,
  }))
  return [
    `<section class="operation" aria-labelledby="${id}">`,
    `<h3 id="${id}"><a href="#${id}">${escapeHtml(summary)}</a></h3>`,
    `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code>`,
    isPublic ? ' <span class="public">no key needed</span></p>' : '</p>',
    marked.parse(description, { async: false }),
    parameters.length > 0 ? `<h4>Parameters</h4>\n${renderFields(parameters, schemas)}` : '',
    body ? `<h4>Request body</h4>\n${renderBody(body, schemas, `${summary}: request`)}` : '',
    `<h4>Answers</h4>`,
    ...answers.map((answer) => renderAnswer(answer, schemas, summary)),
    '</section>',
  ].join('\n')
}

function renderBody({ schema, examples }: Body, schemas: Schemas, label: string) {
  const fields = schema ? renderFields(fieldsOf(schema, schemas), schemas) : ''
  return fields + renderExamples(examples, label)
}

function renderAnswer(
  { status, description, body }: Operation['answers'][number],
  schemas: Schemas,
  summary: string
) {
  const kind = status.startsWith('2') ? 'good' : 'bad'
  const codes = [...new Set((body?.examples ?? []).map(codeOf).filter((code) => code !== ''))]
  const list = codes.map((code) => `<code>${escapeHtml(code)}</code>`).join(' ')
  const line = `<span class="status ${kind}">${status}</span> ${marked.parseInline(description, { async: false })} ${list}`
  if (!body) return `<p class="answer">${line}</p>`
  const type = body.schema
    ? `<p>${renderType(body.schema, schemas)} as <code>${body.mediaType}</code></p>`
    : ''
  const examples = renderExamples(body.examples, `${summary}: answer ${status}`)
  return `<details class="answer"><summary>${line}</summary>${type}${examples}</details>`
}

function renderExamples(examples: Example[], label: string) {
  return examples
    .map(({ summary = '', value }) => {
      const title = summary
        ? `<p class="example">${marked.parseInline(summary, { async: false })}</p>`
        : ''
      const isText = typeof value === 'string'
      const text = isText ? value : JSON.stringify(value, null, 2)
      const name = summary ? `${label}, ${summary}` : label
      return title + codeBlock(text, isText ? '' : 'json', name)
    })
    .join('')
}

function renderObject(name: string, schemas: Schemas) {
  const id = objectId(name)
  const { description = '' } = schemas[name]
  return [
    `<section class="object" aria-labelledby="${id}">`,
    `<h3 id="${id}"><a href="#${id}">${escapeHtml(name)}</a></h3>`,
    marked.parse(description, { async: false }),
    renderFields(fieldsOf(schemas[name], schemas), schemas),
    '</section>',
  ].join('\n')
}
