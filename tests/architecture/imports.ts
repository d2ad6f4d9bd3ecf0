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

const NO_CIRCLE = 'no file imports itself over others, types included'

/** Reads every import of app/ with dependency-cruiser, which resolves it as the compiler does. */
export async function readImports() {
  const options = {
    baseDir: ROOT,
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // The compiler's paths, because it reads `.ts` where package.json's imports say `.js`.
    ruleSet: {
      forbidden: [...boundaryRules(), circleRule()],
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

const circleRule = (): IForbiddenRuleType => ({
  name: NO_CIRCLE,
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
  }
}

function toOffence({ rule, from, to, cycle }: ICruiseResult['summary']['violations'][number]) {
  const circle = cycle?.map(({ name }) => name)
  return { rule: rule.name, by: [from, ...(circle ?? [to])].join(' → ') }
}

/** `app/a → app/b → app/a`, for folders of app/ that import each other, types included. */
export async function findFolderCircles(): Promise<string[]> {
  const rule = {
    name: 'no folder imports itself over others',
    severity: 'error' as const,
    scope: 'folder' as const,
    from: { path: '^app/' },
    to: { circular: true },
  }
  const options = {
    baseDir: ROOT,
    validate: true,
    tsPreCompilationDeps: true,
    // Without config and start, by which routes load doors later.
    includeOnly: '^app/',
    ruleSet: { forbidden: [rule], options: { tsConfig: { fileName: TS_CONFIG } } },
  }
  const { output } = await cruise(['app'], options, RESOLUTION, { tsConfig: COMPILER })
  const circles = (output as ICruiseResult).summary.violations.map(({ from, cycle }) =>
    [from, ...(cycle ?? []).map(({ name }) => name)].join(' → ')
  )
  return circles
}
