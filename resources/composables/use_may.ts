import { usePage } from '@inertiajs/vue3'

/** Whether who is signed in has an ability (`app/staff_area/permissions.ts`). */
export function useMay() {
  const page = usePage()
  return (ability: string) => page.props.abilities.includes(ability)
}
