import highlight from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import csharp from 'highlight.js/lib/languages/csharp'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import { Marked, Renderer } from 'marked'

const LANGUAGES = { bash, csharp, go, js: javascript, json, php, python }
for (const [name, language] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, language)

/** The anchor that GitHub gives a heading, so that links work in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-')
}

export const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/** A code block with a copy button; `label` names it for screen readers. */
export function codeBlock(text: string, language = '', label = 'Code'): string {
  const isKnown = highlight.getLanguage(language) !== undefined
  const body = isKnown ? highlightCode(text, language) : escapeHtml(text)
  const copy = '<button type="button" class="copy">Copy</button>'
  const pre = `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}">`
  return `<div class="code">${copy}${pre}<code>${body}</code></pre></div>\n`
}

/** Spans around brackets and commas are removed: they would double the size of the page. */
const PLAIN = /<span class="hljs-(?:punctuation|operator)">([^<]*)<\/span>/g

const highlightCode = (text: string, language: string) =>
  highlight.highlight(text, { language }).value.replace(PLAIN, '$1')

/** Markdown as our pages show it: headings with anchors, listings with buttons, tables that scroll by themselves. */
export const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = slugOf(text)
      const label = this.parser.parseInline(tokens)
      return `<h${depth} id="${id}"><a href="#${id}">${label}</a></h${depth}>\n`
    },
    code({ text, lang = '' }) {
      return codeBlock(text, lang)
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token)
      return `<div class="table" role="group" aria-label="Table" tabindex="0">${table}</div>\n`
    },
  },
})
