import { MAY_IMPORT } from './module_boundaries.js'
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TS_CONFIG = fileURLToPath(new URL('tsconfig.json', import.meta.url))

export interface SourceFile {
  /** From the root of the project: `app/sales/customer.ts`. */
  path: string
  /** The folder under app/. */
  module: string
  text: string
  /** As written, types included: `#shared/refusals`, `node:http`. */
  imports: string[]
  /** The files of app/ that they are: `app/shared/refusals.ts`. */
  importedFiles: string[]
}

export interface Offence {
  /** The rule as a sentence: `defects never imports reconciliation`. */
  rule: string
  /** What breaks it: `app/defects/a.ts → app/reconciliation/b.ts`. */
  by: string
}

const RESOLUTION = {
  exportsFields: ['exports'],
  conditionNames: ['import', 'types', 'node'],
}
const COMPILER = extractTSConfig(TS_CONFIG)

const NO_IMPORT_CYCLES = 'no import cycles between files, types included'

/** Reads every import of app/ with dependency-cruiser, which resolves it as the compiler does. */
export async function readImports() {
  const options = {
    baseDir: ROOT,
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // The compiler's paths, because it reads `.ts` where package.json's imports say `.js`.
    ruleSet: {
      forbidden: [...boundaryRules(), cycleRule()],
      options: { tsConfig: { fileName: TS_CONFIG } },
    },
  }
  const { output } = await cruise(['app'], options, RESOLUTION, { tsConfig: COMPILER })
  const { modules, summary } = output as ICruiseResult
  return {
    files: modules.filter(({ source }) => source.startsWith('app/')).map(toSourceFile),
    unresolved: modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ couldNotResolve }) => couldNotResolve)
        .map(({ module }) => `${source} → ${module}`)
    ),
    offences: summary.violations.map(toOffence),
  }
}

/** One rule for each pair of modules that the table does not name, so that a failure reads as a sentence. */
function boundaryRules(): IForbiddenRuleType[] {
  const modules = Object.keys(MAY_IMPORT)
  return modules.flatMap((module) =>
    modules
      .filter((other) => other !== module && !MAY_IMPORT[module].includes(other))
      .map((other) => ({
        name: `${module} never imports ${other}`,
        severity: 'error' as const,
        from: { path: `^app/${module}/` },
        to: { path: `^app/${other}/` },
      }))
  )
}

const cycleRule = (): IForbiddenRuleType => ({
  name: NO_IMPORT_CYCLES,
  severity: 'error',
  from: { path: '^app/' },
  // What is loaded by routes or the configuration is loaded later.
  to: { circular: true, viaOnly: { path: '^app/' } },
})

function toSourceFile({ source, dependencies }: ICruiseResult['modules'][number]): SourceFile {
  return {
    path: source,
    module: source.split('/')[1],
    text: readFileSync(join(ROOT, source), 'utf8'),
    imports: dependencies.map(({ module }) => module),
    importedFiles: dependencies
      .map(({ resolved }) => resolved)
      .filter((path) => path.startsWith('app/')),
  }
}

function toOffence({ rule, from, to, cycle }: ICruiseResult['summary']['violations'][number]) {
  const path = cycle?.map(({ name }) => name)
  return { rule: rule.name, by: [from, ...(path ?? [to])].join(' → ') }
}

/**
 * The import cycles between the parts of each folder: its sub-folders, each with all that is below it, and its own files,
 * each by itself. So a file of `app/finance` may be imported from `app/finance/cases`, but not import it too:
 *
 *     app/finance/redirect_to_run.ts                                → a part of app/finance
 *     app/finance/cases/checks.ts imports it                        → app/finance/cases → app/finance/redirect_to_run.ts
 *     app/finance/redirect_to_run.ts imports app/finance/cases/a.ts → a cycle of these two parts
 */
export function findFolderCycles(files: readonly SourceFile[]): string[] {
  const imports = new Map<string, Set<string>>()
  for (const { path, importedFiles } of files) {
    for (const imported of importedFiles) {
      const [from, to] = partsOf(path, imported)
      if (from !== to) imports.set(from, (imports.get(from) ?? new Set()).add(to))
    }
  }
  return [...imports.keys()].flatMap((part) => {
    const way = shortestWay(imports, part, part)
    // Each cycle once: from its first part.
    return way && way.every((other) => part <= other) ? [way.join(' → ')] : []
  })
}

/** The parts of the lowest common folder: `app/a/x.ts`, `app/a/b/c/y.ts` → `app/a/x.ts`, `app/a/b`. */
function partsOf(one: string, other: string): [string, string] {
  const [these, those] = [one.split('/'), other.split('/')]
  let depth = 0
  while (depth < these.length && these[depth] === those[depth]) depth++
  return [these.slice(0, depth + 1).join('/'), those.slice(0, depth + 1).join('/')]
}

/** Breadth-first search. */
function shortestWay(imports: Map<string, Set<string>>, from: string, to: string) {
  const seen = new Set<string>()
  const queue = [[from]]
  for (const way of queue) {
    for (const next of imports.get(way.at(-1)!) ?? []) {
      if (next === to) return [...way, next]
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...way, next])
    }
  }
  return null
}
