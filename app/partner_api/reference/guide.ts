import { escapeHtml, marked, slugOf } from '#partner_api/reference/html'
import type { Token, Tokens } from 'marked'

/** Programs can be downloaded: the language of the code block gives the file's extension. */
const EXTENSIONS: Record<string, string> = {
  bash: 'sh',
  js: 'mjs',
  python: 'py',
  php: 'php',
  go: 'go',
  csharp: 'cs',
}

export interface Guide {
  title: string
  contents: { id: string; title: string }[]
  html: string
}

/** Third-level headings between two second-level ones are programs: each becomes a tab. */
export function renderGuide(markdown: string): Guide {
  const tokens = marked.lexer(markdown)
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? '',
    contents: headings
      .filter(({ depth }) => depth === 2)
      .map(({ text }) => ({ id: slugOf(text), title: text })),
    html: renderBody(tokens.filter((token) => !isTitle(token) && !isContents(token))),
  }
}

const isTitle = (token: Token) => token.type === 'heading' && token.depth === 1

/** The page has a table of contents of its own, so the file's own is left out. */
const isContents = (token: Token) =>
  token.type === 'list' &&
  (token as Tokens.List).items.every(({ text }) => /^\[[^\]]+\]\(#/.test(text))

function renderBody(tokens: Token[]): string {
  const first = tokens.findIndex((token) => token.type === 'heading' && token.depth === 3)
  if (first === -1) return marked.parser(tokens)
  const length = tokens
    .slice(first)
    .findIndex((token) => token.type === 'heading' && token.depth === 2)
  const end = length === -1 ? tokens.length : first + length
  const programs = renderPrograms(tokens.slice(first, end))
  return marked.parser(tokens.slice(0, first)) + programs + renderBody(tokens.slice(end))
}

/** All programs below each other; with scripts they become tabs. */
function renderPrograms(tokens: Token[]): string {
  const starts = tokens.flatMap((token, at) => (token.type === 'heading' ? [at] : []))
  const programs = starts.map((start, nth) => {
    const [heading, ...body] = tokens.slice(start, starts[nth + 1]) as [Tokens.Heading, ...Token[]]
    return { name: heading.text, id: slugOf(heading.text), body }
  })
  const tabs = programs.map(({ id, name }, nth) => {
    const state = nth === 0 ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"'
    const about = `id="${id}-tab" aria-controls="${id}" ${state}`
    return `<button type="button" role="tab" ${about}>${escapeHtml(name)}</button>`
  })
  const list = `<div class="tabs" role="tablist" aria-label="Language">${tabs.join('')}</div>`
  const panels = programs.map(({ id, name, body }) => renderProgram(id, name, body))
  return `<div class="programs" data-programs>${list}${panels.join('')}</div>\n`
}

function renderProgram(id: string, name: string, body: Token[]): string {
  const code = body.find((token): token is Tokens.Code => token.type === 'code')
  const extension = EXTENSIONS[code?.lang ?? '']
  const file = extension && `${name.startsWith('QR ') ? 'verify_qr' : 'first_ticket'}.${extension}`
  const download = file ? `<a href="/docs/examples/${file}" download>${file}</a>` : ''
  const heading = `<h3>${escapeHtml(name)}</h3>`
  return (
    `<section id="${id}" role="tabpanel" aria-labelledby="${id}-tab">` +
    `<div class="program-head">${heading}${download}</div>${marked.parser(body)}</section>`
  )
}
