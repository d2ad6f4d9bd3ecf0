const FIELDS =
  ':is(input, textarea, select, button[role=combobox], button[role=checkbox]):not([type=hidden], [tabindex="-1"], :disabled)'

/** Focuses the first field of a dialog instead of its close button. */
export function toFirstField(event: Event) {
  const field = (event.target as HTMLElement).querySelector<HTMLElement>(`form ${FIELDS}`)
  if (!field) return
  event.preventDefault()
  field.focus()
}
