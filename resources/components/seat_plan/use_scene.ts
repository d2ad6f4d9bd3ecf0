import { router } from '@inertiajs/vue3'
import { computed, markRaw, onMounted, ref, shallowRef } from 'vue'
import { useLiveSeats } from '~/composables/use_live_seats'
import { urlFor } from '~/routes'
import { localized, named, t, tenge } from '~/texts/texts'
import type { Scene } from './painter'
import { noCounts, STATES, type PlanSeats } from './plan'
import { readGeometry } from './read_geometry'

/** The seats of an event: positions, live states, and the result of the filters. */
export function useScene(eventId: string, drawing: string | null) {
  const plan = shallowRef<PlanSeats | null>(null)
  const scene = shallowRef<Scene | null>(null)
  const hasFailed = ref(false)
  /** Grows whenever states, filters or the selection have changed: the scene itself is too large to be watched. */
  const version = ref(0)
  const shown = shallowRef<number[]>([])
  const listeners: ((places: number[] | null) => void)[] = []
  const given = new URLSearchParams(location.search)
  const sector = ref(given.get('sector'))
  const category = ref(given.get('category'))

  const { states, connection } = useLiveSeats(
    urlFor('back_office.seat_plan.changes', { id: eventId }),
    (places) => {
      if (scene.value && states.value.length === scene.value.states.length)
        scene.value.states = states.value
      version.value++
      for (const listener of listeners) listener(places)
    }
  )

  onMounted(load)
  async function load() {
    hasFailed.value = false
    try {
      const answer = await fetch(urlFor('back_office.seat_plan.seats', { id: eventId }), {
        headers: { Accept: 'application/json' },
      })
      if (!answer.ok || answer.redirected) throw new Error(`The plan answers ${answer.status}`)
      const found = (await answer.json()) as PlanSeats
      const { places, scenery } = await readGeometry(drawing, found)
      const count = found.seats.length
      plan.value = found
      scene.value = markRaw({
        places,
        scenery,
        labels: found.seats.map(([, label]) => label),
        states: states.value.length === count ? states.value : new Uint8Array(count),
        isSelected: new Uint8Array(count),
        isFaint: new Uint8Array(count),
      })
      showFiltered()
    } catch {
      hasFailed.value = true
    }
  }

  const isIn = (index: number) => {
    const [, , row, ofCategory] = plan.value!.seats[index]
    const { sectors, rows, categories } = plan.value!
    return (
      (!sector.value || sectors[rows[row].sector].code === sector.value) &&
      (!category.value || categories[ofCategory].code === category.value)
    )
  }
  function showFiltered() {
    shown.value = plan.value!.seats.map((_, index) => index).filter(isIn)
    scene.value!.isFaint.fill(1)
    for (const index of shown.value) scene.value!.isFaint[index] = 0
    version.value++
  }
  function filter(changes: { sector?: string | null; category?: string | null }) {
    if ('sector' in changes) sector.value = changes.sector ?? null
    if ('category' in changes) category.value = changes.category ?? null
    const qs = { sector: sector.value, category: category.value }
    router.replace({
      url: urlFor('back_office.seat_plan', { id: eventId }, { qs }),
      preserveState: true,
      preserveScroll: true,
    })
    showFiltered()
  }

  function countOf(indexes: number[]) {
    void version.value
    const counts = noCounts()
    if (scene.value) for (const index of indexes) counts[STATES[scene.value.states[index]]]++
    return counts
  }

  function describe(index: number): string {
    const { seats, rows, sectors } = plan.value!
    const [, label, row, , price] = seats[index]
    return [
      localized(sectors[rows[row].sector].name),
      t('plan.row', { row: rows[row].label }),
      t('plan.seat', { seat: label }),
      named('seat_states', STATES[scene.value!.states[index]]).toLowerCase(),
      price === null ? t('plan.no_price') : tenge(price),
    ].join(', ')
  }

  return {
    plan,
    scene,
    version,
    hasFailed,
    connection,
    load,
    shown,
    sector,
    category,
    filter,
    countOf,
    describe,
    isKnown: computed(() => version.value >= 0 && states.value.length > 0),
    /** Calls back with the seats that have changed; `null` when it may be any. */
    onSeats: (listener: (places: number[] | null) => void) => void listeners.push(listener),
  }
}
