import type { Notice, Undo } from '#staff_area/shared_props'
import { router, usePage } from '@inertiajs/vue3'
import { useToast } from '@nuxt/ui/composables'
import { watch } from 'vue'
import { messageText, moment, named, t, type TextKey } from '~/texts/texts'

/** How long an undo is offered; its refusal is shown as long. */
const UNDO_SECONDS = 10
const UNDO_MS = UNDO_SECONDS * 1_000

/** Ids of the notices that were shown: going back in the browser's history must not offer an old undo. */
const shown = new Set<string>()
/** The undo of each notice, by the notice's id, until it is pressed. */
const offered = new Map<string, Undo>()

/** Shows the notices of acts as toasts. Those of reversible acts have an “Undo” button for 10 seconds. */
export function useNotices() {
  const page = usePage()
  const toast = useToast()

  function show({ id, key, values, undo }: Notice) {
    if (shown.has(id)) return
    shown.add(id)
    if (undo) offered.set(id, undo)
    toast.add({
      id,
      title: t(key as TextKey, values),
      color: 'success',
      icon: 'i-lucide-check',
      ...(undo && {
        description: t('undo.how', { seconds: UNDO_SECONDS }),
        duration: UNDO_MS,
        actions: [
          {
            'label': t('undo.act'),
            'icon': 'i-lucide-undo-2',
            'color': 'neutral',
            'variant': 'outline',
            'aria-keyshortcuts': 'z',
            'onClick': () => press(id),
          },
        ],
      }),
    })
  }

  function press(id: string) {
    const undo = offered.get(id)
    offered.delete(id)
    toast.remove(id)
    if (!undo) return
    router.visit(undo.url, {
      method: undo.method,
      data: undo.data,
      preserveScroll: true,
      preserveState: true,
      onError: (errors) =>
        toast.add({
          title: refusal(errors),
          color: 'error',
          icon: 'i-lucide-circle-alert',
          duration: UNDO_MS,
        }),
    })
  }

  /** Of a change by somebody else the server says who and when. */
  function refusal(errors: Record<string, string>) {
    const { changedBy } = page.props
    if (changedBy)
      return t('undo.refused', { who: named('actors', changedBy.by), when: moment(changedBy.at) })
    const why = Object.values(errors).map((message) => messageText(message))
    return t('undo.failed', { why: why.join(' ') })
  }

  /** Undoes the act whose message came last of those that are on the screen. */
  function undoLast() {
    const last = toast.toasts.value.findLast(({ id, open }) => open && offered.has(String(id)))
    if (last) press(String(last.id))
  }

  watch(
    () => page.props.notice,
    (notice) => notice && show(notice),
    { immediate: true }
  )
  return { undoLast }
}
