import { ref } from 'vue'

const EVERY_MS = 30_000

const now = ref(Date.now())
let timer: ReturnType<typeof setInterval> | undefined

/** The time, for texts such as “5 min ago”; one clock for all of them. */
export function useNow() {
  timer ??= setInterval(() => (now.value = Date.now()), EVERY_MS)
  return now
}
