import type { RowKey } from '~/composables/use_keys'

/** The row's link, which Enter follows; a row without one has buttons. */
const linkOf = (row: Element | undefined) =>
  row?.querySelector<HTMLElement>('a') ?? row?.querySelector<HTMLElement>('button')

/** Moves the focus between the rows of the page's list, or chooses the row that has it. */
export function moveInList(key: RowKey) {
  const rows = [...document.querySelectorAll('[data-list] tbody tr')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  if (key === 'x') {
    rows[at]?.querySelector<HTMLElement>('[role=checkbox]')?.click()
    return
  }
  const next = at < 0 ? 0 : at + (key === 'j' ? 1 : -1)
  // The row scrolls by itself: its link alone would stop below the head of the table.
  linkOf(rows[next])?.focus({ preventScroll: true })
  rows[next]?.scrollIntoView({ block: 'nearest' })
}
