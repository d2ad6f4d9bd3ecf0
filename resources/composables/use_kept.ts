import { shallowRef, watch } from 'vue'

/** What comes a moment after its page, kept while it is fetched again: nothing that hangs on it disappears meanwhile. */
export function useKept<Value>(source: () => Value | undefined) {
  const kept = shallowRef(source())
  watch(source, (value) => {
    if (value !== undefined) kept.value = value
  })
  return kept
}
