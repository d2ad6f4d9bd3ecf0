import { onUnmounted, ref, watch, type Ref } from 'vue'

/** Whether the content of an element is no wider than the element, also after either has changed. */
export function useFits(element: Readonly<Ref<HTMLElement | null>>) {
  const fits = ref(false)
  const observer = new ResizeObserver(() => {
    const { scrollWidth = 0, clientWidth = 0 } = element.value ?? {}
    fits.value = scrollWidth <= clientWidth
  })
  watch(
    element,
    (frame) => {
      observer.disconnect()
      if (!frame) return
      for (const one of [frame, ...frame.children]) observer.observe(one)
    },
    { immediate: true, flush: 'post' }
  )
  onUnmounted(() => observer.disconnect())
  return fits
}
