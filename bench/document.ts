import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from '../dev/paths.ts'

const FILE = join(root, 'docs/performance.md')
const MEASURED = /(<!-- measured -->)[\s\S]*(<!-- \/measured -->)/

/** Writes what was measured, when and on what, between the two marks of docs/performance.md. */
export async function writeDocument(markdown: string) {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${availableParallelism()} cores of ${cpus()[0].model.trim()}, Node ${process.version}`
  const head = `\`npm run bench\`, ${day}, on ${machine}:`
  const text = readFileSync(FILE, 'utf8')
  const changed = text.replace(
    MEASURED,
    (_, begin, end) => `${begin}\n\n${head}\n\n${markdown}\n\n${end}`
  )
  const style = await resolveConfig(FILE)
  writeFileSync(FILE, await format(changed, { ...style, parser: 'markdown' }))
}
