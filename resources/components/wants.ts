import { t } from '~/texts/texts'

/** What a form still wants: the labels of its empty fields, for the button that sends it. Empty when nothing is missing. */
export function wantsFields(fields: [label: string, value: unknown][]): string {
  const empty = fields.filter(([, value]) => !value || String(value).trim() === '')
  if (empty.length === 0) return ''
  return t('acts.wants_fields', { fields: empty.map(([label]) => label).join(', ') })
}
