import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { appendTo } from '../../app/shared/append_to.ts'
import { root } from '../paths.ts'
import type { CoverageMap } from './coverage.ts'
import type { SourceMutant } from './mutant.ts'
import { changesOf, type Change } from './operators.ts'

/** Specs that together take longer are not asked about one mutant. */
const MOST_SECONDS = 30

export interface SurveyOptions {
  count: number
  /** The same seed chooses the same mutants of the same code. */
  seed: number
  /** Files whose path has one of these texts; all without one. */
  wanted: string[]
}

/** Mutants that nobody has chosen: `count` of all small changes of `app/`, each with the specs that run what it changes. */
export function survey({ count, seed, wanted }: SurveyOptions, coverage: CoverageMap) {
  const texts = new Map(
    globSync('app/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('routes.ts'))
      .sort()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')])
  )
  const isWanted = (file: string) =>
    wanted.length === 0 || wanted.some((each) => file.includes(each))
  const all = [...texts]
    .filter(([file]) => isWanted(file))
    .flatMap(([file, text]) => changesOf(text).map((change) => ({ file, change })))
  const random = randomNumbers(seed)
  const finder = new SpecFinder(texts, coverage)
  const chosen: SourceMutant[] = []
  while (chosen.length < count && all.length > 0) {
    const [{ file, change }] = all.splice(Math.floor(random() * all.length), 1)
    const text = texts.get(file)!
    const line = lineAt(text, change.start)
    const specs = withinTime(finder.specsAt(file, line), coverage)
    chosen.push({ name: nameOf(file, line, text, change), file, ...inContext(text, change), specs })
  }
  return chosen
}

/** A generator of numbers in [0, 1) from a seed (mulberry32, Tommy Ettinger, public domain). */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 100)

const nameOf = (file: string, line: number, text: string, { start, end, replacement }: Change) =>
  `${basename(file)}:${line} “${inOneLine(text.slice(start, end))}” → “${inOneLine(replacement)}”`

/** The change with as many whole lines around it as make its text the only one of the file. */
function inContext(text: string, { start, end, replacement }: Change) {
  let from = start
  let to = end
  do {
    from = text.lastIndexOf('\n', from - 2) + 1
    const next = text.indexOf('\n', to + 1)
    to = next === -1 ? text.length : next
  } while (text.split(text.slice(from, to)).length > 2)
  const find = text.slice(from, to)
  return { find, replace: text.slice(from, start) + replacement + text.slice(end, to) }
}

function withinTime(specs: string[], coverage: CoverageMap) {
  let seconds = 0
  return specs.filter((spec, index) => {
    const isIn = index === 0 || seconds + coverage.secondsOf(spec) <= MOST_SECONDS
    if (isIn) seconds += coverage.secondsOf(spec)
    return isIn
  })
}

/** Finds the specs that run a line; of a constant, such as a statement of SQL, those that run what uses it. */
class SpecFinder {
  readonly #texts: ReadonlyMap<string, string>
  readonly #coverage: CoverageMap
  readonly #places: ReadonlyMap<string, Place[]>
  readonly #ofUses = new Map<string, string[]>()

  constructor(texts: ReadonlyMap<string, string>, coverage: CoverageMap) {
    this.#texts = texts
    this.#places = placesOfWords(texts)
    this.#coverage = coverage
  }

  specsAt(file: string, line: number): string[] {
    const specs = this.#coverage.specsOf(file, line).filter((spec) => !isInBrowser(spec))
    if (specs.length > 0) return specs
    const declared = this.#declaredAround(file, line)
    return declared ? this.#specsOfUses(file, declared) : []
  }

  /** A constant may be used in another constant, and so on, up to the function that runs. */
  #specsOfUses(file: string, name: string) {
    const key = `${file} ${name}`
    const known = this.#ofUses.get(key)
    if (known) return known
    // Whoever uses itself finds nothing there.
    this.#ofUses.set(key, [])
    const found = this.#usesOf(file, name).flatMap((use) => this.specsAt(use.file, use.line))
    const specs = [...new Set(found)]
    this.#ofUses.set(key, specs)
    return specs
  }

  /** The name that the declaration at the file's top level around a line gives. */
  #declaredAround(file: string, line: number) {
    const lines = this.#texts.get(file)!.split('\n').slice(0, line)
    const head = lines.findLast((text) => /^(export |const |function |async |let )/.test(text))
    return /(?:const|let|function\*?|class) (\w+)/.exec(head ?? '')?.[1]
  }

  /** An exported name may be used in any file. */
  #usesOf(file: string, name: string) {
    const isDeclaration = new RegExp(`(const|let|function\\*?|class) ${name}\\b|^import\\b`)
    const places = this.#places.get(name) ?? []
    const isExported = places.some((use) => use.file === file && /^export /.test(use.content))
    return places.filter(
      (use) => (isExported || use.file === file) && !isDeclaration.test(use.content)
    )
  }
}

interface Place {
  file: string
  line: number
  content: string
}

/** Where each word stands. */
function placesOfWords(texts: ReadonlyMap<string, string>) {
  const places = new Map<string, Place[]>()
  for (const [file, text] of texts)
    for (const [index, content] of text.split('\n').entries())
      for (const word of new Set(content.match(/\w+/g)))
        appendTo(places, word, { file, line: index + 1, content })
  return places
}

/** Chromium is slow, and sees what a functional test sees sooner. */
const isInBrowser = (spec: string) => spec.startsWith('tests/browser/')
