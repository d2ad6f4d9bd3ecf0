import type { Findings } from '#back_office/find/find_props'
import { onUnmounted, ref, shallowRef, watch } from 'vue'
import { urlFor } from '~/routes'

/** Between keys nothing is asked. */
const PAUSE_MS = 120

/** What the back office has for a text that somebody is typing; null until it is known. */
export function useFindings(asked: () => string) {
  const findings = shallowRef<Findings | null>(null)
  const isFinding = ref(false)
  const hasFailed = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let question = new AbortController()

  async function find(text: string) {
    const { signal } = (question = new AbortController())
    const answer = await fetch(urlFor('back_office.find', {}, { qs: { q: text } }), {
      headers: { Accept: 'application/json' },
      signal,
    }).catch(() => null)
    const isJson = answer?.ok && answer.headers.get('content-type')?.includes('json')
    const found: Findings | null = isJson ? await answer.json().catch(() => null) : null
    if (signal.aborted) return
    findings.value = found
    hasFailed.value = found === null
    isFinding.value = false
  }

  function cancel() {
    clearTimeout(timer)
    question.abort()
  }

  watch(asked, (text) => {
    cancel()
    findings.value = null
    hasFailed.value = false
    isFinding.value = text !== ''
    if (text) timer = setTimeout(() => find(text), PAUSE_MS)
  })
  onUnmounted(cancel)
  return { findings, isFinding, hasFailed }
}
