import { onMounted, onUnmounted, ref } from 'vue'

/** Charts measure their words before they draw them, so they have to name the typeface. */
export const CHART_FONT = "'Inter Variable', sans-serif"

/** Whether the page is dark now: charts have colours of their own. */
export function useDark() {
  const isDark = ref(false)
  const look = () => (isDark.value = document.documentElement.classList.contains('dark'))
  const watcher = new MutationObserver(look)
  onMounted(() => {
    look()
    watcher.observe(document.documentElement, { attributeFilter: ['class'] })
  })
  onUnmounted(() => watcher.disconnect())
  return isDark
}
