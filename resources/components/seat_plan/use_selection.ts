import { sumOf } from '~/components/sum_of'
import { computed, ref, shallowRef } from 'vue'
import type { How } from './use_gestures'
import type { useScene } from './use_scene'

/** The chosen seats, and the one that is shown in detail. */
export function useSelection({
  plan,
  scene,
  version,
  countOf,
  onSeats,
}: ReturnType<typeof useScene>) {
  const selected = shallowRef<number[]>([])
  const looked = ref<number | null>(null)
  /** Grows when the seat that is looked at has changed. */
  const lookedVersion = ref(0)

  onSeats((places) => {
    if (looked.value !== null && (places === null || places.includes(looked.value)))
      lookedVersion.value++
  })

  function choose(indexes: number[], how: How) {
    const { isSelected } = scene.value!
    if (how === 'only') isSelected.fill(0)
    for (const index of indexes) isSelected[index] = how === 'toggle' ? 1 - isSelected[index] : 1
    const all: number[] = []
    isSelected.forEach((is, index) => is && all.push(index))
    selected.value = all
    looked.value = indexes.find((index) => isSelected[index] === 1) ?? all[0] ?? null
    version.value++
  }
  function chooseRows() {
    const rows = new Set(selected.value.map((index) => plan.value!.seats[index][2]))
    const whole = plan.value!.seats.flatMap(([, , row], index) => (rows.has(row) ? [index] : []))
    choose(whole, 'add')
  }

  const free = computed(() => {
    void version.value
    return selected.value.filter((index) => scene.value!.states[index] === 0)
  })
  const priceOf = (index: number) => plan.value!.seats[index][4]

  return {
    selected,
    looked,
    lookedVersion,
    choose,
    chooseRows,
    counts: computed(() => countOf(selected.value)),
    seats: computed(() => selected.value.map((index) => plan.value!.seats[index][0])),
    freeTenge: computed(() => sumOf(free.value, (index) => priceOf(index) ?? 0)),
    unpriced: computed(() => free.value.filter((index) => priceOf(index) === null).length),
  }
}
