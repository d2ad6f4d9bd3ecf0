import type { ColumnSpec } from '#spreadsheets/workbook'

/** Columns of a page by their widths: what stands in a cell says itself what it is. */
export const columnsOfPage = (
  widths: readonly number[],
  more: readonly Partial<ColumnSpec>[] = []
): ColumnSpec[] =>
  widths.map((width, index) => ({
    ...{ key: `c${index}`, heading: '', width, kind: 'text' as const },
    ...more[index],
  }))
