import { usePage } from '@inertiajs/vue3'
import { reactive } from 'vue'

/** How a person likes lists; kept in the browser. */
interface ListPreferences {
  isCompact: boolean
  hasRelativeTimes: boolean
  /** List → keys of its columns, where they are not those that it has by itself. */
  columns: Record<string, string[]>
}

const STANDARD = { isCompact: false, hasRelativeTimes: false, columns: {} }
const preferences = reactive<ListPreferences>({ ...STANDARD })
let keptFor: number | undefined

const keyOf = (personId: number) => `lists of ${personId}`

/** What is kept may be older than this code, or be refused by the browser. */
function read(personId: number): Partial<ListPreferences> {
  try {
    return JSON.parse(localStorage.getItem(keyOf(personId)) ?? '{}') as Partial<ListPreferences>
  } catch {
    return {}
  }
}

function keep(personId: number) {
  try {
    localStorage.setItem(keyOf(personId), JSON.stringify(preferences))
  } catch {
    // Without storage they last as long as the page.
  }
}

/** One browser may have several people after each other: each has their own. */
export function useListPreferences() {
  const personId = usePage().props.signedIn!.id
  if (personId !== keptFor) Object.assign(preferences, STANDARD, read(personId))
  keptFor = personId
  return {
    preferences,
    prefer: (changes: Partial<ListPreferences>) => {
      Object.assign(preferences, changes)
      keep(personId)
    },
  }
}
