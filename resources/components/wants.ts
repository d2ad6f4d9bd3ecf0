import { t } from '~/texts/texts'

/** What a form still wants: the labels of its empty fields, for the button that sends it. Empty when nothing is missing. */
export function wantsFields(fields: [label: string, value: unknown][]): string {
  const empty = fields.filter(([, value]) => !value || String(value).trim() === '')
  if (empty.length === 0) return ''
  return t('acts.wants_fields', { fields: empty.map(([label]) => label).join(', ') })
}

/** The same for a text that has a shortest length, as the server asks for it. */
export function wantsText(label: string, text: string, shortest: number): string {
  if (text.trim().length >= shortest) return ''
  return t('acts.wants_text', { field: label, letters: shortest })
}
