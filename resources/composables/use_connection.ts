import { router } from '@inertiajs/vue3'
import { useToast } from '@nuxt/ui/composables'
import { onMounted, onUnmounted, ref } from 'vue'
import { t, type TextKey } from '~/texts/texts'

/** Whether the server answered last time, as far as this page knows. */
export const isConnected = ref(true)
/** Whether the session of this page has ended; nothing that was sent since was done. */
export const isSignedOut = ref(false)

const isAct = ({ method }: { method: string }) => method !== 'get'

/**
 * Requests whose answer is lost: the page stays as it is, with all that was typed. Of an act is said whether it can have reached the
 * server; what only reads is asked again by itself or by hand.
 */
export function useConnection() {
  const toast = useToast()
  /** Acts that were sent and are not answered yet. */
  let acts = 0

  /** The message that stands now. A removed one fades for a moment, so that the next one needs a name of its own. */
  let said = 0
  const nameOf = (number: number) => `lost-answer-${number}`
  const takeBack = () => toast.remove(nameOf(said))

  function say(key: TextKey, values = {}) {
    takeBack()
    said++
    toast.add({
      id: nameOf(said),
      title: t(key, values),
      color: 'error',
      icon: 'i-lucide-unplug',
      duration: 0,
      actions: [
        { label: t('connection.reload'), color: 'neutral', variant: 'outline', onClick: reload },
      ],
    })
  }
  const reload = () => location.reload()

  function noteLost() {
    isConnected.value = false
    if (acts > 0) say(navigator.onLine ? 'connection.no_answer' : 'connection.not_sent')
    return false
  }

  /** An ended session, or a page of a proxy instead of an answer of ours, which would have the header of Inertia. */
  function noteForeign(status: number, headers: Record<string, unknown>) {
    if ('x-inertia' in headers) return
    if (status === 401 && 'www-authenticate' in headers) {
      isSignedOut.value = true
      return false
    }
    say(acts > 0 ? 'connection.bad_answer' : 'connection.bad_page', { status })
    return false
  }

  /** Whoever sends again has read what was said. */
  function noteAct() {
    acts++
    takeBack()
  }

  const listening: (() => void)[] = []
  const goOffline = () => (isConnected.value = false)
  const goOnline = () => (isConnected.value = true)
  onMounted(() => {
    listening.push(
      router.on('start', ({ detail: { visit } }) => void (isAct(visit) && noteAct())),
      router.on('finish', ({ detail: { visit } }) => void (acts -= isAct(visit) ? 1 : 0)),
      router.on('success', goOnline),
      router.on('networkError', noteLost),
      router.on('httpException', ({ detail: { response } }) =>
        noteForeign(response.status, response.headers)
      )
    )
    addEventListener('offline', goOffline)
    addEventListener('online', goOnline)
  })
  onUnmounted(() => {
    for (const stop of listening) stop()
    removeEventListener('offline', goOffline)
    removeEventListener('online', goOnline)
  })
}
