import type { Ability } from '#staff_area/permissions'
import { usePage } from '@inertiajs/vue3'

/** What the signed-in person may do. */
export function usePermissions() {
  const page = usePage()
  return { can: (ability: Ability) => page.props.abilities.includes(ability) }
}
