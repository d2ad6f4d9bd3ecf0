import { router, usePage } from '@inertiajs/vue3'
import { computed, reactive, ref } from 'vue'

/** Long enough that a word is typed, short enough not to be felt. */
const TYPING_MS = 250
/** Parts of the URL that choose a page or an order, and leave out no rows. */
const NOT_FILTERS = ['before', 'page', 'sort']
/** Parts of the URL that say how the list is shown: the id of the open view, and the columns where they are not the view's. */
const SHOWN_AS = ['view', 'columns'] as const
/** In place of a view's id: none, although the list opens with one. */
const NO_VIEW = 'all'

type ShownAs = Partial<Record<(typeof SHOWN_AS)[number], string | null>>

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

  const shownAs = computed<ShownAs>(() => {
    const asked = new URLSearchParams(page.url.split('?')[1])
    return Object.fromEntries(SHOWN_AS.map((name) => [name, asked.get(name)]))
  })
  /** The query of an address, without its empty parts. */
  const queryOf = (parts: Record<string, string | null>) =>
    Object.fromEntries(Object.entries(parts).filter(([, value]) => value)) as Record<string, string>

  const given = () => queryOf(query)
  const isWhole = () => deferred.every((name) => page.props[name] !== undefined)

  function fail() {
    hasFailed.value = true
    return false
  }
  const opensWithView = () => page.props.savedViews?.views.some(({ isDefault }) => isDefault)
  const hasFilters = (id: string) =>
    page.props.savedViews?.views.some(
      (view) => String(view.id) === id && Object.keys(view.filters).length > 0
    )
  /**
   * The query of the list as it is shown. The server opens a view's filters where the address has nothing else, so without the last of
   * them the list is no view:
   *
   *     ?status=paid&view=12  →  ?view=all, or nothing where the list opens without a view
   */
  function askedAs(shown: ShownAs) {
    const asked = queryOf({ ...query, ...shown })
    const namesOnlyView = Object.keys(asked).every((name) => name === 'view')
    if (!namesOnlyView || (asked.view && !hasFilters(asked.view))) return asked
    return queryOf({ view: opensWithView() ? NO_VIEW : null })
  }
  const loadAs = (shown: ShownAs, isOtherPage = false) =>
    router.get(path, askedAs(shown), {
      preserveState: true,
      preserveScroll: true,
      replace: !isOtherPage,
      only: isWhole() ? only : [],
      onSuccess: () => (hasFailed.value = false),
      onNetworkError: fail,
    })
  const load = () => loadAs(shownAs.value)

  function show(changes: Partial<Given>, wait = 0) {
    Object.assign(query, changes)
    if ('before' in query && !('before' in changes)) Object.assign(query, { before: null })
    if ('page' in query && !('page' in changes)) Object.assign(query, { page: null })
    clearTimeout(timer)
    timer = setTimeout(load, wait)
  }

  /** Shows the list by these filters alone, as a view or as none; a page of its own, to which the browser goes back. */
  function open(wanted: Record<string, string>, viewId: number | null) {
    for (const name of Object.keys(query)) Object.assign(query, { [name]: wanted[name] ?? null })
    clearTimeout(timer)
    loadAs({ view: viewId === null ? null : String(viewId) }, true)
  }

  /** The address of the list without its page, by other filters or as another view. */
  const hrefOf = (parts: Record<string, string | null>) =>
    `${path}?${new URLSearchParams(queryOf(parts))}`

  return {
    query,
    show,
    shownAs,
    open,
    hrefOf,
    /** Changes how the list is shown, which takes no other rows. */
    showAs: (shown: ShownAs) =>
      router.replace({
        url: hrefOf({ ...query, ...shownAs.value, ...shown }),
        preserveState: true,
        preserveScroll: true,
      }),
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
    reset: () => open({}, null),
    /** Whether the last request for rows got no answer; the rows shown are those of an earlier one. */
    hasFailed,
    retry: load,
  }
}

export type ListQuery<Given extends Filters = any> = ReturnType<typeof useListQuery<Given>>
