import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { log, logError } from '../output.ts'
import { drillReport, root } from '../paths.ts'
import { Interrupted, StartUpError } from '../start_up_error.ts'

/** What was seen; `holds: false` is a violation. */
export type Observation = { seen: string; holds: boolean }

export const seen = (text: string, holds = true): Observation => ({ seen: text, holds })

type Row = Observation & { drill: string; mustHold: string; seconds: number }

/** A row is violated that all others of the drill depend on. */
export class DrillStopped extends StartUpError {}

/** The table of drills: a row for each thing that must hold. It is written to the file, tmp/drill.json, after every row. */
export class DrillReport {
  readonly #file: string
  readonly #startedAt = new Date()
  readonly #rows: Row[] = []
  #drill = ''

  constructor(file = drillReport) {
    this.#file = file
  }

  /** The following rows are of this drill. */
  begin(drill: string) {
    this.#drill = drill
  }

  /** Adds a row. An error is a violation, and the drill goes on. */
  async check(mustHold: string, observe: () => Promise<Observation>) {
    const began = performance.now()
    const observation = await observe().catch((error: Error) => {
      if (error instanceof Interrupted) throw error
      return { seen: error.message, holds: false }
    })
    const seconds = Math.round((performance.now() - began) / 100) / 10
    this.#rows.push({ drill: this.#drill, mustHold, ...observation, seconds })
    const line = `${mustHold}: ${observation.seen} (${seconds} s)`
    if (observation.holds) log(line)
    else logError(`VIOLATED  ${line}`)
    this.#write()
    return observation.holds
  }

  /** Adds a row that the next ones depend on: the drill ends when it is violated. */
  async require(mustHold: string, observe: () => Promise<Observation>) {
    if (!(await this.check(mustHold, observe))) {
      throw new DrillStopped(`The drill can't go on: ${this.#rows.at(-1)!.seen}`)
    }
  }

  print() {
    const cells = this.#rows.map((row) => [
      row.drill,
      row.mustHold,
      row.holds ? row.seen : `VIOLATED: ${row.seen}`,
      String(row.seconds),
    ])
    const table = markdownTable(['drill', 'must hold', 'seen', 'seconds'], cells)
    const sum = `${this.#violations} violated of ${this.#rows.length}; written to ${relative(root, this.#file)}`
    process.stdout.write(`\n${table}\n\n${sum}\n`)
  }

  get exitCode() {
    return this.#violations === 0 ? 0 : 1
  }

  get #violations() {
    return this.#rows.filter(({ holds }) => !holds).length
  }

  #write() {
    mkdirSync(dirname(this.#file), { recursive: true })
    const content = {
      startedAt: this.#startedAt,
      violated: this.#violations,
      rows: this.#rows,
    }
    writeFileSync(this.#file, `${JSON.stringify(content, null, 2)}\n`)
  }
}

function markdownTable(header: string[], rows: string[][]) {
  const escaped = rows.map((row) =>
    row.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|'))
  )
  const widths = header.map((_, column) =>
    Math.max(...[header, ...escaped].map((row) => row[column].length))
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...escaped.map(line)].join(
    '\n'
  )
}
