import { join } from 'node:path'
import { Checks } from '../checks.ts'
import { runTool } from '../tools.ts'
import type { Judge } from '../types.ts'

interface Result {
  rule: string
  message: string
  path: (string | number)[]
  line: number
}
type Report = Record<'error' | 'warning' | 'info' | 'hint', { results: Result[] }>

const RULES = join(import.meta.dirname, '../rules/ibm.yaml')

const ibmValidator: Judge = {
  name: 'ibm_validator',
  about: "holds the description against the rules of IBM's OpenAPI validator",
  needs: 'description',
  async run({ descriptionFile, scratchDirectory: cwd }) {
    const checks = new Checks()
    const { stdout, stderr } = await runTool(
      '.bin/lint-openapi',
      ['--json', '--ruleset', RULES, descriptionFile],
      { cwd }
    )
    const report = readReport(stdout)
    checks.expect(report !== null, 'The validator reads the description', stdout + stderr)
    for (const { results } of Object.values(report ?? {})) {
      for (const { rule, message, path, line } of results ?? [])
        checks.expect(false, `${message} (${rule})`, `line ${line}: ${path.join('.')}`)
    }
    return checks.verdict
  },
}

function readReport(text: string): Report | null {
  try {
    const { error, warning, info, hint } = JSON.parse(text) as Report
    return { error, warning, info, hint }
  } catch {
    return null
  }
}

export default ibmValidator
