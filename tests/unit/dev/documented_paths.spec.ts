import { test } from '@japa/runner'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const list = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).filter(({ name }) => name !== 'tmp')

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md', 'docs/security.md']
const PATH = /^[\w.-]+(\/[\w.-]+)*\/?$/
const NAMED = /`([\w./-]+)`, `([\w.]+)`/g
/** A function, constant or class of the file, a method, or a function in SQL. A call or an import is not enough. */
const definitionOf = (name: string) =>
  new RegExp(
    [
      `^(export )?(default )?(async )?(function|const|class) ${name}\\b`,
      `^ +(async )?${name}\\(.*[{(]$`,
      `CREATE FUNCTION ${name}\\b`,
    ].join('|'),
    'm'
  )
/** A log line in backquotes is a sentence that begins with an article: `a scan was not valid`. */
const LOG_LINE = /`(an? [a-z]+( [a-z]+)+)`/g
/** Folders of the root with the product's own source, which the map of README.md has to name. */
const UNMAPPED = ['build', 'coverage', 'node_modules', 'public']

/** Text in backquotes counts as a path when it begins with a folder or is a file of the root; links always do. */
function pathsIn(document: string) {
  const text = read(document).replaceAll(/^```[\s\S]*?^```/gm, '')
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path]) => path)
  const local = links.filter((path) => !path.includes(':'))
  const inRoot = list('.').map(({ name }) => name)
  const code = [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => PATH.test(path) && inRoot.includes(path.split('/')[0]))
  return [...local.map((path) => normalize(join(dirname(document), path))), ...code]
}

test.group('Paths in documents', () => {
  for (const document of DOCUMENTS) {
    test(`${document} names only files and folders that exist`, ({ assert }) => {
      const paths = [...new Set(pathsIn(document))]
      assert.isNotEmpty(paths)
      const missing = paths.filter((path) => !existsSync(join(ROOT, path)))
      assert.deepEqual(missing, [])
    })
  }

  test('the walks of CONTRIBUTING.md name functions that their files have', ({ assert }) => {
    const named = [...read('CONTRIBUTING.md').matchAll(NAMED)]
      .map(([, path, name]) => ({ path, name }))
      .filter(({ path }) => path.endsWith('.ts'))
    assert.isAbove(named.length, 20)
    const missing = named.filter(
      ({ path, name }) =>
        !existsSync(join(ROOT, path)) ||
        !name.split('.').every((part) => definitionOf(part).test(read(path)))
    )
    assert.deepEqual(missing, [])
  })

  test('each walk has at most twelve steps', ({ assert }) => {
    const steps = [...read('CONTRIBUTING.md').matchAll(/^(\d+)\. /gm)].map(([, step]) =>
      Number(step)
    )
    assert.lengthOf(
      steps.filter((step) => step === 1),
      3
    )
    assert.isAtMost(Math.max(...steps), 12)
  })

  test('the map of README.md names every module and every folder of the root', ({ assert }) => {
    const readme = read('README.md')
    const modules = list('app').map(({ name }) => `app/${name}`)
    const folders = list('.')
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => name !== 'app' && !UNMAPPED.includes(name))
    const missing = [...modules, ...folders].filter((path) => !readme.includes(`| \`${path}\` `))
    assert.deepEqual(missing, [])
  })
})

test.group('Log lines in documents', () => {
  test('operations.md names only lines that the code writes', ({ assert }) => {
    const named = [...read('docs/operations.md').matchAll(LOG_LINE)].map(([, line]) => line)
    assert.isAtLeast(named.length, 3)
    const sources = readdirSync(join(ROOT, 'app'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => read(join('app', path)))
    const unwritten = named.filter((line) => !sources.some((text) => text.includes(`'${line}'`)))
    assert.deepEqual(unwritten, [])
  })
})
