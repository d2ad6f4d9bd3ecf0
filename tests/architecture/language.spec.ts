import { test } from '@japa/runner'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** docs/glossary.md, "Words that the project does without": as words, and as parts of names. */
const BANNED = [
  'tell',
  'tells',
  'telling',
  'told',
  'anew',
  'beside',
  'spare',
  'heard',
  'amid',
  'wherefore',
  'of which',
  'by the letter',
]

const READ = [
  '{app,bin,commands,config,dev,bench,providers,start}/**/*.ts',
  'resources/**/*.{ts,vue,css}',
  'docs/**/*.md',
  '*.md',
]
/** Tests are read for their titles; in their data a partner may say what it likes. */
const TESTS = 'tests/**/*.ts'
const TITLE = /\btest(?:\.group)?\(\s*(['"`])(.*?)\1/g

/** These say what is banned. */
const QUOTING = ['docs/glossary.md', 'STYLE.md']
/** Evidence of registers, which will be computed on one balance: its words go with it. */
const OLD_EVIDENCE =
  /^app\/(reconciliation\/(matching|evidence)|defects\/rules\/(charges|registers|returned|late_money)\.ts)/

/** `tellOnce` → `tell Once`: a name is read word by word. */
const asWords = (line: string) => line.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')

const PATTERN = new RegExp(`\\b(${BANNED.join('|')})\\b`, 'i')

function offencesIn(path: string, lines: string[]) {
  return lines.flatMap((line, index) => {
    const word = PATTERN.exec(asWords(line))?.[1]
    return word ? [`${path}:${index + 1} "${word}": ${line.trim().slice(0, 100)}`] : []
  })
}

const linesOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8').split('\n')

test.group('Language', () => {
  test('code, comments, documents and texts use none of the words that the glossary bans', ({
    assert,
  }) => {
    const paths = READ.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    assert.isAbove(paths.length, 800)
    const offences = paths
      .filter((path) => !QUOTING.includes(path) && !OLD_EVIDENCE.test(path))
      .flatMap((path) => offencesIn(path, linesOf(path)))
    assert.deepEqual(offences, [])
  })

  test('so do titles of tests', ({ assert }) => {
    const offences = globSync(TESTS, { cwd: ROOT }).flatMap((path) => {
      const titles = [...linesOf(path).join('\n').matchAll(TITLE)].map(([, , title]) => title)
      return offencesIn(path, titles)
    })
    assert.deepEqual(offences, [])
  })
})
