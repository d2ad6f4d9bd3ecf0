import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from '../dev/paths.ts'

export type Align = 'left' | 'right'

const FILE = join(root, 'docs/performance.md')
const MEASURED = /(<!-- measured -->)[\s\S]*(<!-- \/measured -->)/
const RULE = { left: '---', right: '--:' }

/** A Markdown table; columns without an alignment are aligned to the left. */
export function table(head: string[], rows: string[][], align: Align[]) {
  const rule = head.map((_, column) => RULE[align[column] ?? 'left'])
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Formats as the project's documents are, with aligned tables. */
export async function formatMarkdown(markdown: string) {
  return format(markdown, { ...(await resolveConfig(FILE)), parser: 'markdown' })
}

/** Writes the report with date and machine between the two marks of docs/performance.md. */
export async function writeDocument(markdown: string) {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${availableParallelism()} cores of ${cpus()[0].model.trim()}, Node ${process.version}`
  const head = `\`npm run bench\`, ${day}, on ${machine}:`
  const text = readFileSync(FILE, 'utf8')
  const changed = text.replace(
    MEASURED,
    (_, begin, end) => `${begin}\n\n${head}\n\n${markdown}\n\n${end}`
  )
  writeFileSync(FILE, await formatMarkdown(changed))
}
