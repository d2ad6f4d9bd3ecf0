import { computed, ref, watch } from 'vue'

/** Rows of a list that a person has checked. A row that leaves the page is unchecked: nobody would see it change. */
export function useCheckedRows<Row extends { id: number }>(rows: () => Row[]) {
  const ids = ref<number[]>([])
  watch(rows, (shown) => {
    ids.value = ids.value.filter((id) => shown.some((row) => row.id === id))
  })
  const checked = computed(() => rows().filter(({ id }) => ids.value.includes(id)))
  const state = computed(() => {
    if (ids.value.length === 0) return false
    return ids.value.length === rows().length ? true : 'indeterminate'
  })

  function check(id: number, isChecked: boolean | 'indeterminate') {
    const others = ids.value.filter((one) => one !== id)
    ids.value = isChecked === true ? [...others, id] : others
  }
  function checkAll(isChecked: boolean | 'indeterminate') {
    ids.value = isChecked === true ? rows().map(({ id }) => id) : []
  }

  return {
    checked,
    /** Of the checkbox for all rows. */
    state,
    isChecked: (id: number) => ids.value.includes(id),
    check,
    checkAll,
  }
}
