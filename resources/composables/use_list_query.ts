import { router, usePage } from '@inertiajs/vue3'
import { reactive } from 'vue'

/** Long enough that a word is typed, short enough not to be felt. */
const TYPING_MS = 250

/** The filters of a list, kept in the URL; a change shows the first page of what it leaves. */
export function useListQuery<Filters extends Record<string, string | null>>(filters: Filters) {
  const query = reactive({ ...filters }) as Filters
  const path = usePage().url.split('?')[0]
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(changes: Partial<Filters>, wait = 0) {
    Object.assign(query, changes)
    if ('before' in query && !('before' in changes)) Object.assign(query, { before: null })
    if ('page' in query && !('page' in changes)) Object.assign(query, { page: null })
    clearTimeout(timer)
    timer = setTimeout(
      () => router.get(path, given(), { preserveState: true, preserveScroll: true, replace: true }),
      wait
    )
  }

  const given = () => Object.fromEntries(Object.entries(query).filter(([, value]) => value))

  return {
    query,
    show,
    /** For what is typed: the box shows every letter at once, the list follows. */
    type: (changes: Partial<Filters>) => show(changes, TYPING_MS),
    /** What the list shows, all its pages, as a file. */
    csvHref: () => {
      const { before, ...rest } = given() as Record<string, string>
      return `${path}.csv?${new URLSearchParams(rest)}`
    },
    isFiltered: () =>
      Object.entries(given()).some(([name]) => !['before', 'page', 'sort'].includes(name)),
    reset: () =>
      show(Object.fromEntries(Object.keys(query).map((name) => [name, null])) as Partial<Filters>),
  }
}
