import type { SecondPeople } from '#staff_area/shared_props'
import { may, type Ability } from '#staff_area/permissions'
import { INDEPENDENT_AFTER_DAYS, listColleagues } from '#staff/second_person'

export type { SecondPeople }

/** Who may approve a request of `askedBy`, and why the viewer may not. */
export async function secondPeople(
  askedBy: string,
  ability: Ability,
  viewer: string
): Promise<SecondPeople> {
  const colleagues = await listColleagues(askedBy)
  const able = colleagues.filter(({ role }) => may(role, ability))
  const own = able.find(({ email }) => email === viewer)
  return {
    approvers: able.filter(({ linkBy }) => linkBy === null).map(({ name }) => name),
    link: own?.linkBy ? { by: own.linkBy, until: own.linkUntil!.toISOString() } : null,
    days: INDEPENDENT_AFTER_DAYS,
  }
}
