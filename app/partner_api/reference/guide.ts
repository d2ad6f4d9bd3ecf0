import highlight from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import csharp from 'highlight.js/lib/languages/csharp'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import { Marked, Renderer, type Token, type Tokens } from 'marked'

const LANGUAGES = { bash, csharp, go, js: javascript, json, php, python }
for (const [name, language] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, language)

/** Programs are files as well: the fence names the language, the first word of the heading the set. */
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

/** The anchor that GitHub gives a heading, so that links work in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-')
}

const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = slugOf(text)
      const label = this.parser.parseInline(tokens)
      return `<h${depth} id="${id}"><a href="#${id}">${label}</a></h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const isKnown = highlight.getLanguage(lang) !== undefined
      const body = isKnown ? highlight.highlight(text, { language: lang }).value : escapeHtml(text)
      const copy = '<button type="button" class="copy" data-copy hidden>Copy</button>'
      return `<div class="code">${copy}<pre tabindex="0"><code>${body}</code></pre></div>\n`
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token)
      return `<div class="table" role="group" aria-label="Table" tabindex="0">${table}</div>\n`
    },
  },
})

/** The third-level headings between two of the second level are programs: each becomes a panel of a set of tabs. */
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

/** The page has a table of contents beside the text, so the file's own is left out. */
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

function renderPrograms(tokens: Token[]): string {
  const starts = tokens.flatMap((token, at) => (token.type === 'heading' ? [at] : []))
  const panels = starts.map((start, nth) => {
    const [heading, ...body] = tokens.slice(start, starts[nth + 1]) as [Tokens.Heading, ...Token[]]
    return renderProgram(heading.text, body)
  })
  return `<div class="programs" data-programs>${panels.join('')}</div>\n`
}

function renderProgram(name: string, body: Token[]): string {
  const id = slugOf(name)
  const code = body.find((token): token is Tokens.Code => token.type === 'code')
  const extension = EXTENSIONS[code?.lang ?? '']
  const file = extension && `${name.startsWith('QR ') ? 'verify_qr' : 'first_ticket'}.${extension}`
  const download = file ? `<a href="/docs/examples/${file}" download>${file}</a>` : ''
  const heading = `<h3>${escapeHtml(name)}</h3>`
  return (
    `<section id="${id}" data-program="${escapeHtml(name)}">` +
    `<div class="program-head">${heading}${download}</div>${marked.parser(body)}</section>`
  )
}
