import { usePage } from '@inertiajs/vue3'
import { useToast } from '@nuxt/ui/composables'
import { computed } from 'vue'
import type { ListColumns } from '~/components/lists/use_list_columns'
import type { ListQuery } from '~/composables/use_list_query'
import { usePost } from '~/composables/use_post'
import { urlFor } from '~/routes'
import { t } from '~/texts/texts'

/** As the server leaves them out: the page of the list, and what somebody looks for just now. */
const NOT_SAVED = ['before', 'page', 'q']

const asText = (filters: Record<string, string>) => JSON.stringify(Object.entries(filters).sort())

/** The saved views of the page's list, the one that is open, and what a person does with them. */
export function useSavedViews(list: ListQuery, { openView, keys, savedKeys }: ListColumns) {
  const page = usePage()
  const toast = useToast()
  const { put } = usePost()
  const listName = computed(() => page.props.savedViews?.list ?? '')
  const views = computed(() => page.props.savedViews?.views ?? [])

  /** What the list shows now, as a view keeps it. */
  const content = computed(() => {
    const filters = Object.entries(list.query).filter(
      ([name, value]) => value && !NOT_SAVED.includes(name)
    )
    return { filters: Object.fromEntries(filters) as Record<string, string>, columns: keys.value }
  })
  const isChanged = computed(() => {
    if (!openView.value) return false
    const { filters } = openView.value
    const isSame =
      asText(filters) === asText(content.value.filters) &&
      savedKeys.value?.join() === keys.value?.join()
    return !isSame
  })
  const mayChange = computed(() => {
    const isAdmin = page.props.signedIn?.role === 'admin'
    return openView.value !== null && (openView.value.isMine || isAdmin)
  })

  /** The address of the list as it is shown, for a colleague, too, who has other columns. */
  const href = computed(() => {
    const columns = keys.value?.join() ?? null
    return list.hrefOf({ ...list.query, before: null, view: list.shownAs.value.view!, columns })
  })

  return {
    listName,
    views,
    openView,
    content,
    isChanged,
    mayChange,
    /** Whether there is text in the search box, which is not saved. */
    isSearching: computed(() => Boolean(list.query.q)),
    open: (id: number | null) => {
      const view = views.value.find((one) => one.id === id)
      list.open(view?.filters ?? {}, view?.id ?? null)
    },
    hrefOf: (id: number | null) => {
      const view = views.value.find((one) => one.id === id)
      return list.hrefOf({ ...view?.filters, view: view ? String(view.id) : 'all' })
    },
    /** The view has just been saved as it is shown. */
    showSaved: (name: string) => {
      const saved = views.value.find((view) => view.isMine && view.name === name.trim())
      if (saved) list.showAs({ view: String(saved.id), columns: null })
    },
    update: (id: number) =>
      put(urlFor('back_office.saved_view.change', { id }), content.value, () =>
        list.showAs({ columns: null })
      ),
    /** The list stays as it is, and is no view any more. */
    leave: () => list.showAs({ view: null, columns: keys.value?.join() ?? null }),
    openWith: (viewId: number | null) =>
      put(urlFor('back_office.default_view', { list: listName.value }), { viewId }),
    copyLink: async () => {
      try {
        await navigator.clipboard.writeText(new URL(href.value, location.href).href)
        toast.add({ title: t('saved_views.copied'), color: 'success', icon: 'i-lucide-check' })
      } catch {
        // There is no clipboard outside HTTPS, and a browser may refuse it.
        const title = t('saved_views.not_copied')
        toast.add({ title, color: 'error', icon: 'i-lucide-circle-alert' })
      }
    },
  }
}

export type SavedViews = ReturnType<typeof useSavedViews>
