import type { SecondPeople } from '#staff_area/shared_props'
import { moment, t } from '~/texts/texts'

export type { SecondPeople }

const MOST_NAMES = 8

/** `Can approve: Anna, Bolat.` */
export function approversLine({ approvers, days }: SecondPeople): string {
  if (approvers.length === 0) return t('second_person.no_approvers', { days })
  const people = approvers.slice(0, MOST_NAMES).join(', ')
  const more = approvers.length - MOST_NAMES
  return more > 0
    ? t('second_person.approvers_and_more', { people, more })
    : t('second_person.approvers', { people })
}

/** Why the viewer may not approve what the asker wants; null when the accounts aren't linked. */
export function linkLine(
  { link, days }: SecondPeople,
  asker: string,
  viewer: string
): string | null {
  if (!link) return null
  const values = { until: moment(link.until), by: link.by, asker, days }
  if (link.by === viewer) return t('second_person.linked_by_viewer', values)
  if (link.by === asker) return t('second_person.linked_by_asker', values)
  return t('second_person.linked_by_third', values)
}
