import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DOORS, MAY_IMPORT } from '../tests/architecture/module_boundaries.ts'
import { root } from './paths.ts'

export const MODULE_MAP = 'docs/modules.md'

const MARKED = /(<!-- generated: modules -->\n)[\s\S]*?(<!-- end -->)/

/** Drawn together, from the top down. */
const GROUPS = {
  'Doors': ['partner_api', 'back_office', 'finance', 'gate', 'public_files', 'console', 'worker'],
  'What doors share': ['staff_area', 'http', 'telemetry'],
  'Settlement': [
    'reporting',
    'printing',
    'returned_workbooks',
    'workbooks',
    'register_evidence',
    'reconciliation',
    'register_reading',
    'rule_comparisons',
    'privacy',
    'defects',
    'case_work',
    'ledger',
    'invariants',
    'restores',
    'key_rotation',
  ],
  'Sales': ['sales', 'tickets', 'inventory', 'partners', 'catalog', 'webhooks', 'staff'],
  'Technical': ['runs', 'spreadsheets', 'pdf', 'mail'],
}

/**
 * The arrows that no longer way implies (transitive reduction): where `a → b → c` is drawn, `a → c` is not.
 * `shared` is below everything and left out.
 */
export function arrowsOf(mayImport: Record<string, readonly string[]>): [string, string][] {
  const reaches = (from: string, to: string): boolean =>
    mayImport[from].some((next) => next === to || reaches(next, to))
  return Object.entries(mayImport).flatMap(([from, all]) => {
    const targets = all.filter((to) => to !== 'shared')
    return targets
      .filter((to) => !targets.some((other) => other !== to && reaches(other, to)))
      .map((to): [string, string] => [from, to])
  })
}

export function drawModules(): string {
  const lines = ['```mermaid', 'flowchart TD']
  for (const [group, modules] of Object.entries(GROUPS)) {
    lines.push(`  subgraph ${group.replaceAll(' ', '_')}["${group}"]`)
    for (const module of modules)
      lines.push(`    ${module}${DOORS.includes(module) ? '([' + module + '])' : ''}`)
    lines.push('  end')
  }
  for (const [from, to] of arrowsOf(MAY_IMPORT)) lines.push(`  ${from} --> ${to}`)
  return [...lines, '```'].join('\n')
}

/** The page with the drawing as the table of modules has it now. */
export async function renderModuleMap(): Promise<string> {
  const page = await readFile(join(root, MODULE_MAP), 'utf8')
  return page.replace(
    MARKED,
    (_, begin: string, end: string) => `${begin}\n${drawModules()}\n\n${end}`
  )
}

export const writeModuleMap = async () => writeFile(join(root, MODULE_MAP), await renderModuleMap())
