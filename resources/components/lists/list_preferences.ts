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
let keptFor: string | undefined

const keyOf = (person: string) => `lists of ${person}`

/** What is kept may be older than this code, or be refused by the browser. */
function read(person: string): Partial<ListPreferences> {
  try {
    return JSON.parse(localStorage.getItem(keyOf(person)) ?? '{}') as Partial<ListPreferences>
  } catch {
    return {}
  }
}

function keep(person: string) {
  try {
    localStorage.setItem(keyOf(person), JSON.stringify(preferences))
  } catch {
    // Without storage they last as long as the page.
  }
}

/** One browser may have several people after each other: each has their own. */
export function useListPreferences() {
  const person = usePage().props.signedIn?.email ?? ''
  if (person !== keptFor) Object.assign(preferences, STANDARD, read(person))
  keptFor = person
  return {
    preferences,
    prefer: (changes: Partial<ListPreferences>) => {
      Object.assign(preferences, changes)
      keep(person)
    },
  }
}
