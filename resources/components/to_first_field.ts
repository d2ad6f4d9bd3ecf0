const FIELDS =
  ':is(input, textarea, select, button[role=combobox], button[role=checkbox]):not([type=hidden], [tabindex="-1"], :disabled)'

/** What a dialog begins at: its first field, where it has one, and not the cross that closes it. */
export function toFirstField(event: Event) {
  const field = (event.target as HTMLElement).querySelector<HTMLElement>(`form ${FIELDS}`)
  if (!field) return
  event.preventDefault()
  field.focus()
}
