import type { PluginFn } from '@japa/runner/types'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from '../paths.ts'
import type { SpecCoverage } from './coverage.ts'

const SOURCES = pathToFileURL(`${root}/app/`).href

/** Of the file as it runs: offsets of V8. */
interface RunFunction {
  scriptId: string
  url: string
  start: number
  end: number
}

interface RunSpec {
  milliseconds: number
  functions: RunFunction[]
}

/** Writes which functions of `app/` each spec of this process runs to the file that COVERAGE_FILE names. */
export const recordCoverage: PluginFn = async ({ emitter }) => {
  const file = process.env.COVERAGE_FILE
  if (!file) return
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  const specs = new Map<string, RunSpec>()
  let current: string | null = null
  let beganAt = performance.now()
  /** What ran since the last call belongs to the spec that has ended; what ran before the first one to none. */
  const finish = async (next: string | null) => {
    const functions = await takeFunctions(session)
    if (current !== null) {
      const known = specs.get(current) ?? { milliseconds: 0, functions: [] }
      known.milliseconds += performance.now() - beganAt
      known.functions.push(...functions)
      specs.set(current, known)
    }
    current = next
    beganAt = performance.now()
  }
  emitter.on('test:start', async ({ meta }) => {
    const spec = relative(root, meta.fileName as string)
    if (spec !== current) await finish(spec)
  })
  emitter.on('runner:end', async () => {
    await finish(null)
    const read = await readSources(session, specs)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(Object.fromEntries(read)))
  })
}

/** Functions of `app/` that ran since they were last taken, without the modules themselves. */
async function takeFunctions(session: Session): Promise<RunFunction[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(SOURCES))
    .flatMap(({ scriptId, url, functions }) =>
      functions
        .filter(({ functionName, ranges: [whole] }) => {
          const isModule = functionName === '' && whole.startOffset === 0
          return whole.count > 0 && !isModule
        })
        .map(({ ranges: [{ startOffset: start, endOffset: end }] }) => ({
          scriptId,
          url,
          start,
          end,
        }))
    )
}

/** Puts lines of the files as they are written in place of V8's offsets. */
async function readSources(session: Session, specs: Map<string, RunSpec>) {
  const scripts = await readScripts(session)
  const read = new Map<string, SpecCoverage>()
  for (const [spec, { milliseconds, functions }] of specs) {
    const lines: SpecCoverage['lines'] = {}
    for (const { scriptId, url, start, end } of functions) {
      const lineAt = scripts.get(scriptId)
      if (!lineAt) continue
      const file = relative(root, fileURLToPath(url))
      const range = `${lineAt(start)}-${lineAt(end - 1)}`
      const known = (lines[file] ??= [])
      if (!known.includes(range)) known.push(range)
    }
    read.set(spec, { milliseconds: Math.round(milliseconds), lines })
  }
  return read
}

/** For each script what says the written line of an offset. The debugger is on for this only: it would slow the tests down. */
async function readScripts(session: Session) {
  const found: { scriptId: string; sourceMapURL: string }[] = []
  session.on('Debugger.scriptParsed', ({ params: { url, scriptId, sourceMapURL = '' } }) => {
    if (url.startsWith(SOURCES)) found.push({ scriptId, sourceMapURL })
  })
  await session.post('Debugger.enable')
  const lines = new Map<string, (offset: number) => number>()
  for (const { scriptId, sourceMapURL } of found) {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
    lines.set(scriptId, lineFinder(scriptSource, sourceMapURL))
  }
  return lines
}

function lineFinder(source: string, sourceMapUrl: string) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1))
    starts.push(at + 1)
  const [, base64] = /^data:application\/json[^,]*;base64,(.+)$/.exec(sourceMapUrl) ?? []
  const map = base64 && new SourceMap(JSON.parse(Buffer.from(base64, 'base64').toString()))
  return (offset: number) => {
    const line = starts.findLastIndex((start) => start <= offset)
    if (!map) return line + 1
    const entry = map.findEntry(line, offset - starts[line])
    return 'originalLine' in entry ? entry.originalLine + 1 : line + 1
  }
}
