/** How a list is sorted by one of its columns: values of the filter `sort`, where null is the order that the list has by itself. */
export interface ColumnSort {
  ascending: string | null
  descending: string | null
  /** The direction in which one mostly wants it. */
  first: 'ascending' | 'descending'
  /** Why the list can't be sorted by the column now. */
  refusal?: string
}

/** As `aria-sort` says it. */
export function directionOf({ ascending, descending }: ColumnSort, sort: string | null) {
  if (sort === ascending) return 'ascending'
  return sort === descending ? 'descending' : 'none'
}

/** What a press on the head of the column sorts by: it turns the order around, or begins with the first direction. */
export function nextSort(column: ColumnSort, sort: string | null) {
  const direction = directionOf(column, sort)
  if (direction === 'none') return column[column.first]
  return direction === 'ascending' ? column.descending : column.ascending
}
