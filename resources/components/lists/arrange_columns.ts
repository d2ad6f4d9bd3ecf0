/** A column without a label has the buttons of a row. */
interface LabelledColumn {
  key: string
  label: string
}

const isLabelled = ({ label }: LabelledColumn) => label !== ''

/** Columns that a person may hide and move: the first one names the row, and buttons stay at the end. */
export const movableOf = <One extends LabelledColumn>(columns: One[]) =>
  columns.slice(1).filter(isLabelled)

/**
 * The columns in the order of `keys`; those that are not named are hidden, and unknown keys ignored. Null shows all.
 *
 *     columns id, buyer, status, (buttons); keys status, gone  →  id, status, (buttons)
 */
export function arrangeColumns<One extends LabelledColumn>(
  columns: One[],
  keys: readonly string[] | null
): One[] {
  if (keys === null) return columns
  const movable = movableOf(columns)
  const chosen = keys.flatMap((key) => movable.find((column) => column.key === key) ?? [])
  const buttons = columns.slice(1).filter((column) => !isLabelled(column))
  return [...columns.slice(0, 1), ...new Set(chosen), ...buttons]
}

/** The keys of what a list shows by these keys, without those that it does not have any more; null when it shows its own columns. */
export const shownKeys = (columns: LabelledColumn[], keys: readonly string[] | null) =>
  keysOf(columns, arrangeColumns(columns, keys))

/** The keys that arrange columns like this; null when they are those of the list, so that a column that comes later is shown, too. */
export function keysOf(columns: LabelledColumn[], arranged: LabelledColumn[]): string[] | null {
  const keys = arranged.filter(isLabelled).map(({ key }) => key)
  const all = columns.filter(isLabelled).map(({ key }) => key)
  return keys.join() === all.join() ? null : keys
}
