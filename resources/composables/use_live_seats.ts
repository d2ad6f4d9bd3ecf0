import { onMounted, onUnmounted, ref, shallowRef } from 'vue'

export type Connection = 'connecting' | 'live' | 'lost'
/** The server sends at least a beat every five seconds. */
const SILENCE_MS = 15_000
const CHECK_EVERY_MS = 3_000

const LETTERS = 'fhsb'
const toStates = (letters: string) =>
  Uint8Array.from(letters, (letter) => Math.max(0, LETTERS.indexOf(letter)))

/**
 * The states of an event's seats as they are now. Every connection begins with all of them, so that nothing is
 * missed by a gap; a hidden page has none, as browsers allow a site only six.
 */
export function useLiveSeats(url: string, onChange: (places: number[] | null) => void) {
  const states = shallowRef(new Uint8Array())
  const connection = ref<Connection>('connecting')
  let source: EventSource | undefined
  let lastMessageAt = 0
  let timer: ReturnType<typeof setInterval> | undefined

  function noteMessage() {
    lastMessageAt = Date.now()
    connection.value = 'live'
  }

  function connect() {
    source?.close()
    lastMessageAt = Date.now()
    source = new EventSource(url)
    source.addEventListener('seats', ({ data }) => {
      states.value = toStates(data as string)
      noteMessage()
      onChange(null)
    })
    source.addEventListener('change', ({ data }) => {
      const change = JSON.parse(data as string) as Record<string, number[]>
      for (const [letter, places] of Object.entries(change))
        for (const place of places) states.value[place] = LETTERS.indexOf(letter)
      noteMessage()
      onChange(Object.values(change).flat())
    })
    source.addEventListener('beat', noteMessage)
    source.addEventListener('error', () => (connection.value = 'lost'))
  }

  /** A browser reconnects by itself after a broken connection, but not after a refused or a silent one. */
  function watch() {
    if (document.hidden) return
    const isSilent = Date.now() - lastMessageAt > SILENCE_MS
    if (!isSilent && source?.readyState !== EventSource.CLOSED) return
    connection.value = 'lost'
    connect()
  }

  function followVisibility() {
    if (document.hidden) source?.close()
    else connect()
  }

  onMounted(() => {
    connect()
    timer = setInterval(watch, CHECK_EVERY_MS)
    document.addEventListener('visibilitychange', followVisibility)
  })
  onUnmounted(() => {
    clearInterval(timer)
    source?.close()
    document.removeEventListener('visibilitychange', followVisibility)
  })
  return { states, connection }
}
