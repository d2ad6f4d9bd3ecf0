import { usePage } from '@inertiajs/vue3'

/** What the signed-in person may do; abilities are named in `app/staff_area/permissions.ts`. */
export function usePermissions() {
  const page = usePage()
  return { can: (ability: string) => page.props.abilities.includes(ability) }
}
