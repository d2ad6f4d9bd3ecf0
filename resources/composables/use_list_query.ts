import { router, usePage } from '@inertiajs/vue3'
import { reactive, ref } from 'vue'

/** Long enough that a word is typed, short enough not to be felt. */
const TYPING_MS = 250
/** Parts of the URL that choose a page or an order, and leave out no rows. */
const NOT_FILTERS = ['before', 'page', 'sort']

export type Filters = Record<string, string | null>

interface PartOfPage {
  /** The props that a change loads. */
  only: string[]
  /**
   * Props that come after the first rendering. Until they are there a change loads the whole page: their late answer would bring back
   * the address without the change.
   */
  deferred: string[]
}

/** The filters of a list, kept in the URL; a change shows the first page of the result. `part`: where the page has more than the list. */
export function useListQuery<Given extends Filters>(
  filters: Given,
  { only, deferred }: PartOfPage = { only: [], deferred: [] }
) {
  const query = reactive({ ...filters }) as Given
  const page = usePage()
  const path = page.url.split('?')[0]
  const hasFailed = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  const given = () =>
    Object.fromEntries(Object.entries(query).filter(([, value]) => value)) as Record<string, string>

  const isWhole = () => deferred.every((name) => page.props[name] !== undefined)

  function load() {
    const fail = () => {
      hasFailed.value = true
      return false
    }
    router.get(path, given(), {
      preserveState: true,
      preserveScroll: true,
      replace: true,
      only: isWhole() ? only : [],
      onSuccess: () => (hasFailed.value = false),
      onNetworkError: fail,
    })
  }

  function show(changes: Partial<Given>, wait = 0) {
    Object.assign(query, changes)
    if ('before' in query && !('before' in changes)) Object.assign(query, { before: null })
    if ('page' in query && !('page' in changes)) Object.assign(query, { page: null })
    clearTimeout(timer)
    timer = setTimeout(load, wait)
  }

  return {
    query,
    show,
    /** For text inputs: the box shows every letter at once, the list follows. */
    type: (changes: Partial<Given>) => show(changes, TYPING_MS),
    /** The model of one filter: `<FilterSelect v-bind="list.filter('status')" … />`. */
    filter: <Name extends keyof Given>(name: Name) => ({
      'modelValue': query[name],
      'onUpdate:modelValue': (value: string | null) =>
        show({ [name]: value } as unknown as Partial<Given>),
    }),
    /** The address of a file with all pages of what the list shows. */
    exportHref: (url: string) => {
      const { before, ...rest } = given()
      return `${url}?${new URLSearchParams(rest)}`
    },
    isFiltered: () => Object.keys(given()).some((name) => !NOT_FILTERS.includes(name)),
    reset: () =>
      show(Object.fromEntries(Object.keys(query).map((name) => [name, null])) as Partial<Given>),
    /** Whether the last request for rows got no answer; the rows shown are those of an earlier one. */
    hasFailed,
    retry: load,
  }
}

export type ListQuery<Given extends Filters = any> = ReturnType<typeof useListQuery<Given>>
