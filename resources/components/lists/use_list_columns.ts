import { usePage } from '@inertiajs/vue3'
import { computed } from 'vue'
import type { Column } from '~/components/data_table.vue'
import { arrangeColumns, keysOf, shownKeys } from '~/components/lists/arrange_columns'
import { useListPreferences } from '~/components/lists/list_preferences'
import type { ListQuery } from '~/composables/use_list_query'

/**
 * The columns that a list shows: those that its address names, else those of the open view, else those that the person has chosen
 * before. A choice within a view stands in the address until the view is updated.
 */
export function useListColumns(columns: () => Column[], list?: ListQuery) {
  const page = usePage()
  const { preferences, prefer } = useListPreferences()
  /** The page's component: registers of all partners are one list. */
  const name = page.component
  const openView = computed(() => {
    const id = Number(list?.shownAs.value.view)
    return page.props.savedViews?.views.find((view) => view.id === id) ?? null
  })
  const arranged = computed(() => {
    const asked = list?.shownAs.value.columns?.split(',')
    const kept = openView.value ? openView.value.columns : preferences.columns[name]
    return arrangeColumns(columns(), asked ?? kept ?? null)
  })
  const keys = computed(() => keysOf(columns(), arranged.value))
  const savedKeys = computed(() => shownKeys(columns(), openView.value?.columns ?? null))

  function choose(chosen: Column[]) {
    const wanted = keysOf(columns(), chosen)
    if (openView.value) {
      const isAsSaved = savedKeys.value?.join() === wanted?.join()
      list?.showAs({ columns: isAsSaved ? null : chosen.map(({ key }) => key).join() })
      return
    }
    const others = Object.entries(preferences.columns).filter(([other]) => other !== name)
    prefer({
      columns: Object.fromEntries(wanted ? [...others, [name, wanted]] : others),
    })
    if (list?.shownAs.value.columns) list.showAs({ columns: null })
  }

  return {
    openView,
    /** Those shown, in their order. */
    arranged,
    /** Their keys; null when they are those of the list. */
    keys,
    /** The same for the open view as it is saved. */
    savedKeys,
    choose,
  }
}

export type ListColumns = ReturnType<typeof useListColumns>
