import ts from 'typescript'

/** One small change of a source file. */
export interface Change {
  /** Offsets in the text. */
  start: number
  end: number
  replacement: string
}

/** Wrong changes that somebody might make by a slip: a condition, a call, a lock or a bound is gone or another one. */
export function changesOf(text: string): Change[] {
  const source = ts.createSourceFile('mutated.ts', text, ts.ScriptTarget.Latest, true)
  const changes: Change[] = []
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    changes.push(...changesOfNode(node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return changes
}

function changesOfNode(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) return changesOfOperator(node)
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [replace(node, node.operand.getText())]
  if (ts.isIfStatement(node)) return [replace(node.expression, 'false')]
  if (ts.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].map((branch) => replace(node, `(${branch.getText()})`))
  if (ts.isExpressionStatement(node) && isCall(node.expression)) return [replace(node, ';')]
  if (ts.isCallExpression(node)) return changesOfCall(node)
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return changesOfSql(node)
  if (isConstantNumber(node)) return [replace(node, `(${node.getText()} + 1)`)]
  return []
}

const replace = (node: ts.Node, replacement: string): Change => ({
  start: node.getStart(),
  end: node.getEnd(),
  replacement,
})

const isCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(
    ts.isAwaitExpression(node) || ts.isVoidExpression(node) ? node.expression : node
  )

/** A bound that is named at the top of a file. */
const isConstantNumber = (node: ts.Node): node is ts.NumericLiteral =>
  ts.isNumericLiteral(node) &&
  ts.isVariableDeclaration(node.parent) &&
  node.parent.parent.parent.parent.kind === ts.SyntaxKind.SourceFile

const OTHER_OPERATOR: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
}

function changesOfOperator(node: ts.BinaryExpression): Change[] {
  const { left, right, operatorToken } = node
  if (
    operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    operatorToken.kind === ts.SyntaxKind.BarBarToken
  )
    return [left, right].map((side) => replace(node, side.getText()))
  const other = OTHER_OPERATOR[operatorToken.kind]
  return other ? [replace(operatorToken, other)] : []
}

const OTHER_METHOD = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
])
/** A call of these gives back what it was called on. */
const WITHOUT = ['filter', 'toSorted', 'sort', 'toReversed', 'trim', 'toLowerCase', 'slice']

function changesOfCall(node: ts.CallExpression): Change[] {
  if (!ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  const other = OTHER_METHOD.get(name.text)
  if (other) return [replace(name, other)]
  return WITHOUT.includes(name.text) ? [replace(node, expression.getText())] : []
}

const IS_SQL = /\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE|JOIN|AND)\b/

const SQL_CHANGES: [RegExp, string][] = [
  [/\sFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)( OF \w+)?( SKIP LOCKED| NOWAIT)?/g, ''],
  [/ SKIP LOCKED/g, ''],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ <> /g, ' = '],
  [/ DESC\b/g, ''],
  [/\bLEFT JOIN\b/g, 'JOIN'],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bDISTINCT (?!ON|FROM)/g, ''],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/ \+ interval\b/g, ' - interval'],
  [/ - interval\b/g, ' + interval'],
]
/** What a condition ends before, outside of brackets. */
const ENDS_CONDITION =
  /^\s(AND|OR|GROUP|ORDER|LIMIT|OFFSET|RETURNING|UNION|FOR|ON|JOIN|LEFT|CROSS|WHERE|THEN|HAVING)\b/

function changesOfSql(node: ts.Node): Change[] {
  const text = node.getText()
  if (!IS_SQL.test(text)) return []
  const offset = node.getStart()
  const changes: Change[] = []
  for (const [pattern, replacement] of SQL_CHANGES)
    for (const { 0: found, index } of text.matchAll(pattern))
      changes.push({ start: offset + index, end: offset + index + found.length, replacement })
  for (const { index } of text.matchAll(/\sAND\s/g)) {
    if (/\bBETWEEN\b[^()]*$/.test(text.slice(Math.max(0, index - 60), index))) continue
    const end = endOfCondition(text, index + 4)
    changes.push({ start: offset + index, end: offset + end, replacement: '' })
  }
  return changes
}

/** Where the condition that begins at an offset ends. */
function endOfCondition(text: string, from: number) {
  let depth = 0
  for (let at = from; at < text.length - 1; at++) {
    if ('({'.includes(text[at])) depth++
    if (')}'.includes(text[at])) depth--
    if (depth < 0 || (depth === 0 && ENDS_CONDITION.test(text.slice(at, at + 12)))) return at
  }
  // Before the quote.
  return text.length - 1
}
