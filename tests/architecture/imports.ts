import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const APP = join(ROOT, 'app')
// Also `export … from`, `import 'x'` and `import('x')`, over several lines.
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g
const TYPE_IMPORT = /\b(?:import|export) type\b[^;'"]*?from '([^']+)'/g

export interface SourceFile {
  /** From the root of the project: `app/sales/customer.ts`. */
  path: string
  /** The folder under app/. */
  module: string
  text: string
  lines: number
  /** As written, except that relative ones are made `#module/…`. */
  imports: string[]
  /** Those that exist when the program runs. */
  runtimeImports: string[]
}

export function sourceFiles(): SourceFile[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map(read)
}

function read(file: string): SourceFile {
  const text = readFileSync(join(APP, file), 'utf8')
  const toName = (specifier: string) =>
    specifier.startsWith('.') ? absolute(file, specifier) : specifier
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => toName(name))
  const typesOnly = found(TYPE_IMPORT)
  const imports = found(IMPORT)
  return {
    path: `app/${file}`,
    module: file.split('/')[0],
    text,
    lines: text.trimEnd().split('\n').length,
    imports,
    runtimeImports: imports.filter((name) => !typesOnly.includes(name)),
  }
}

function absolute(file: string, specifier: string) {
  const target = relative(APP, resolve(APP, dirname(file), specifier))
  return target.startsWith('..') ? specifier : `#${target.replace(/\.[jt]s$/, '')}`
}

/** `#sales/customer` → the file that it means, when it is one of app/. */
export const fileOf = (name: string) => `app/${name.slice(1)}.ts`
