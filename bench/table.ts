export type Align = 'left' | 'right'

const RULE = { left: '---', right: '--:' }

/** A Markdown table, padded so that it reads well as plain text too. */
export function table(head: string[], rows: string[][], align: Align[]) {
  const sideOf = (column: number) => align[column] ?? 'left'
  const rule = head.map((_, column) => RULE[sideOf(column)])
  const widths = head.map((_, column) =>
    Math.max(...[head, rule, ...rows].map((row) => row[column].length))
  )
  const pad = (cell: string, column: number) =>
    sideOf(column) === 'left' ? cell.padEnd(widths[column]) : cell.padStart(widths[column])
  const line = (cells: string[]) => `| ${cells.map(pad).join(' | ')} |`
  const ruled = rule.map((mark, column) =>
    sideOf(column) === 'left'
      ? mark.padEnd(widths[column], '-')
      : mark.padStart(widths[column], '-')
  )
  return [line(head), line(ruled), ...rows.map(line)].join('\n')
}
