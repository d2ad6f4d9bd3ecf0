import { test } from '@japa/runner'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The words of the table under this heading of docs/glossary.md, a row each: `| tell, tells | report |`. */
const HEADING = '## Words that the project does without'
const TABLE_ROW = /^\| ([^|]+?) +\|/gm

function readBannedWords(): string[] {
  const table = readFileSync(`${ROOT}docs/glossary.md`, 'utf8').split(HEADING)[1].split('\n## ')[0]
  const [, , ...words] = [...table.matchAll(TABLE_ROW)].map(([, cell]) => cell)
  return words.flatMap((cell) => cell.split(', '))
}
const BANNED = readBannedWords()

const READ = [
  '{app,bin,commands,config,dev,bench,providers,start}/**/*.ts',
  'resources/**/*.{ts,vue,css,edge}',
  'resources/lang/en/*.json',
  'docs/**/*.md',
  'docs/api/*.yaml',
  'judge/**/*.ts',
  '*.md',
]
const isOurs = (path: string) => !path.includes('node_modules/')

/** Tests are read for their titles, and mutants for their names; in their data a partner may use any word. */
const TESTS = 'tests/**/*.ts'
const TITLE = /\btest(?:\.group)?\(\s*(['"`])(.*?)\1/g
const NAME_OF_MUTANT = /\bname:\s*(['"`])(.*?)\1/g
const titlePattern = (path: string) => (path.startsWith('tests/mutants/') ? NAME_OF_MUTANT : TITLE)

/** These say what is banned. */
const QUOTING = ['docs/glossary.md', 'STYLE.md']

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

/** Every title of a test and of a group, with its file. */
const titles = globSync(TESTS, { cwd: ROOT }).map((path) => ({
  path,
  titles: [...readFileSync(`${ROOT}${path}`, 'utf8').matchAll(titlePattern(path))].map(
    ([, , title]) => title
  ),
}))

test.group('Language', () => {
  test('the banned words are those of the glossary', ({ assert }) => {
    assert.includeMembers(BANNED, ['tell', 'told', 'anew', 'hear of', 'of which', 'wherefore'])
    assert.notInclude(BANNED, 'Word')
  })

  test('code, comments, documents and English texts use no banned word', ({ assert }) => {
    const paths = READ.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(isOurs)
    assert.isAbove(paths.length, 800)
    const offences = paths
      .filter((path) => !QUOTING.includes(path))
      .flatMap((path) => offencesIn(path, linesOf(path)))
    assert.deepEqual(offences, [])
  })

  test('titles of tests use no banned word', ({ assert }) => {
    assert.deepEqual(
      titles.flatMap(({ path, titles: all }) => offencesIn(path, all)),
      []
    )
  })

  test('no title of a test begins or ends with the bare word “works”', ({ assert }) => {
    const vague = titles.flatMap(({ path, titles: all }) =>
      all.filter((title) => /^works\b|\bworks$/.test(title)).map((title) => `${path}: ${title}`)
    )
    assert.deepEqual(vague, [])
  })
})
