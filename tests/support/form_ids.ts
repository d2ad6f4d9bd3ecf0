import app from '@adonisjs/core/services/app'
import type { RouteJSON } from '@adonisjs/core/types/http'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Fields that name something by a text; `rowNumber()` reads a number. */
const NAMES = /^(credit|debit|owner|partner|replaces|seats|sha256|\w*(Ids?|Codes?))$/
/** Numbers that name nothing. */
const VERSIONS = ['version']
/** Reads a file, whose rows name things. */
const UPLOAD = '#staff_area/upload'

/**
 * Fields of a form that name something, read from the sources of its controller and of the controller's validators:
 *
 *     PUT /registers/:id/source   →   ['sourceId']
 *
 * `file` where it takes a file.
 */
export function fieldsThatName({ handler }: RouteJSON): string[] {
  if (typeof handler === 'function' || !Array.isArray(handler.reference)) return []
  const [load, method = 'handle'] = handler.reference
  const specifier = /import\(["'](#[^"']+)["']\)/.exec(String(load))?.[1]
  if (!specifier) return []
  const controller = parse(specifier)
  const text = textOfMethod(controller, String(method))
  const validators = [...text.matchAll(/validateUsing\((\w+)\)/g)].map(([, name]) => name)
  const fields = validators.flatMap((name) => fieldsOf(name, controller))
  const uploads = importsOf(controller)
    .filter(({ from }) => from === UPLOAD)
    .some(({ names }) => names.some((name) => text.includes(`${name}(`)))
  return [...new Set([...fields, ...(uploads ? ['file'] : [])])]
}

function parse(specifier: string) {
  const path = app.makePath(`${specifier.replace('#', 'app/')}.ts`)
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
}

/** With the functions next to the class to which it leaves the reading. */
function textOfMethod(source: ts.SourceFile, name: string) {
  const [controller] = source.statements.filter(ts.isClassDeclaration)
  const method = controller.members.find((member) => member.name?.getText() === name)
  const text = method?.getText() ?? ''
  const called = source.statements
    .filter(ts.isFunctionDeclaration)
    .filter((each) => text.includes(`${each.name!.text}(`))
  return [text, ...called.map((each) => each.getText())].join('\n')
}

const importsOf = (source: ts.SourceFile) =>
  source.statements.filter(ts.isImportDeclaration).map(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings
    const names =
      bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
    return { from: (moduleSpecifier as ts.StringLiteral).text, names }
  })

/** Of the constant, and of those of its file that it is made of. */
function fieldsOf(name: string, source: ts.SourceFile, seen = new Set<string>()): string[] {
  const value = valueOf(name, source)
  if (!value) {
    const found = importsOf(source).find(
      ({ names, from }) => names.includes(name) && from[0] === '#'
    )
    return found && seen.size === 0 ? fieldsOf(name, parse(found.from), new Set([name])) : []
  }
  const fields: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && doesName(node)) fields.push(node.name.getText())
    if (ts.isIdentifier(node) && !seen.has(node.text)) {
      seen.add(node.text)
      fields.push(...fieldsOf(node.text, source, seen))
    }
    node.forEachChild(visit)
  }
  visit(value)
  return fields
}

function valueOf(name: string, source: ts.SourceFile) {
  const declarations = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
  return declarations.find((each) => each.name.getText() === name)?.initializer
}

function doesName({ name, initializer }: ts.PropertyAssignment) {
  const field = name.getText()
  if (NAMES.test(field)) return true
  return initializer.getText().startsWith('rowNumber(') && !VERSIONS.includes(field)
}
