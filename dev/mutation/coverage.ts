import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { coverageDirectory } from '../paths.ts'
import { StartUpError } from '../start_up_error.ts'

/** What one spec runs. */
export interface SpecCoverage {
  milliseconds: number
  /** File → first and last line of each function, as `12-30`. */
  lines: Record<string, string[]>
}

interface CoveredFunction {
  from: number
  to: number
  specs: Set<string>
}

/** Which specs run which functions, as the last `npm test -- --coverage` saw it. */
export class CoverageMap {
  readonly #specs = new Map<string, SpecCoverage>()
  /** By file. */
  readonly #functions = new Map<string, CoveredFunction[]>()

  static read() {
    if (!existsSync(coverageDirectory))
      throw new StartUpError(
        'Which spec runs what is not known: run `npm test -- --coverage` first.'
      )
    const map = new CoverageMap()
    for (const name of readdirSync(coverageDirectory)) {
      const text = readFileSync(join(coverageDirectory, name), 'utf8')
      const specs = JSON.parse(text) as Record<string, SpecCoverage>
      for (const [spec, coverage] of Object.entries(specs)) map.add(spec, coverage)
    }
    return map
  }

  add(spec: string, coverage: SpecCoverage) {
    this.#specs.set(spec, coverage)
    for (const [file, ranges] of Object.entries(coverage.lines)) {
      const functions = this.#functions.get(file) ?? []
      this.#functions.set(file, functions)
      for (const range of ranges) {
        const [from, to] = range.split('-').map(Number)
        const known = functions.find((one) => one.from === from && one.to === to)
        if (known) known.specs.add(spec)
        else functions.push({ from, to, specs: new Set([spec]) })
      }
    }
  }

  /** Specs that run the innermost function around a line; those that run the fewest functions come first: they are about it. */
  specsOf(file: string, line: number): string[] {
    const around = (this.#functions.get(file) ?? []).filter(
      ({ from, to }) => from <= line && line <= to
    )
    const least = Math.min(...around.map(({ from, to }) => to - from))
    const innermost = around.filter(({ from, to }) => to - from === least)
    const specs = new Set(innermost.flatMap((one) => [...one.specs]))
    return [...specs].sort((one, other) => this.#breadthOf(one) - this.#breadthOf(other))
  }

  secondsOf(spec: string) {
    return (this.#specs.get(spec)?.milliseconds ?? 0) / 1000
  }

  #breadthOf(spec: string) {
    const lines = Object.values(this.#specs.get(spec)!.lines)
    return lines.reduce((sum, ranges) => sum + ranges.length, 0)
  }
}
