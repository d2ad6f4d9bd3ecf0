import { join } from 'node:path'
import { Checks } from '../checks.ts'
import { runTool } from '../tools.ts'
import type { Judge } from '../types.ts'

interface Result {
  code: string
  message: string
  path: (string | number)[]
  range: { start: { line: number } }
}

const RULES = join(import.meta.dirname, '../rules/spectral.yaml')

const spectral: Judge = {
  name: 'spectral',
  about: 'holds the description against the OAS and OWASP rules of Spectral',
  needs: 'description',
  async run({ descriptionFile, scratchDirectory: cwd }) {
    const checks = new Checks()
    const flags = ['--ruleset', RULES, '--format', 'json', '--quiet', '--fail-severity', 'hint']
    const { code, stdout, stderr } = await runTool(
      '.bin/spectral',
      ['lint', ...flags, descriptionFile],
      { cwd }
    )
    const results = code === 0 ? [] : readResults(stdout)
    checks.expect(results !== null, 'Spectral reads the description', stdout + stderr)
    for (const { code: rule, message, path, range } of results ?? [])
      checks.expect(
        false,
        `${message} (${rule})`,
        `line ${range.start.line + 1}: ${path.join('.')}`
      )
    return checks.verdict
  },
}

function readResults(text: string): Result[] | null {
  try {
    return JSON.parse(text) as Result[]
  } catch {
    return null
  }
}

export default spectral
