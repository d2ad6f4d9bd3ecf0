import { shallowRef, watch } from 'vue'

/** The last value of a deferred property, kept while the page loads it again, so that nothing flickers. */
export function useLastKnown<Value>(source: () => Value | undefined) {
  const known = shallowRef(source())
  watch(source, (value) => {
    if (value !== undefined) known.value = value
  })
  return known
}
