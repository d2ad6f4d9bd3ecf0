import { usePage } from '@inertiajs/vue3'
import { computed, nextTick, onUnmounted, shallowRef, watch } from 'vue'
import {
  draftKey,
  draftsOf,
  forgetDraft,
  keepDraft,
  noteCancelled,
  type Input,
  type KeptDraft,
} from '~/drafts/keep'
import { watchForm } from '~/drafts/leaving'

export interface DraftSource {
  /** The form and its record, such as the address that it is sent to. Never a word of a language. */
  subject: () => string
  /** What a person can type or choose, by field. Files, passwords and codes are left out by the caller. */
  read: () => Input
  write: (input: Input) => void
  /** What the form began with, where it can change while somebody types; otherwise `read` at the beginning. */
  base?: () => Input
  /** The version of the record, to notice that somebody has changed it since. */
  version?: () => unknown
}

/** A cleared number field is empty in another way than one that was never filled in. */
const textOf = (value: unknown) =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')
export const isSameInput = (one: unknown, other: unknown) => textOf(one) === textOf(other)

/**
 * Keeps what is typed into a form while it is typed, and offers it when the same person opens the same form again.
 *
 * Only changed fields are kept. A draft that is continued after somebody else has changed the record so puts nothing old into
 * fields that nobody had touched:
 *
 *     began with   name "Kassa", limit 100
 *     typed        limit 250             kept: { limit: 250 }
 *     meanwhile    name "Kassa 24"       by somebody else
 *     continued    name "Kassa 24", limit 250, and the form says that the record has changed
 */
export function useDraft({ subject, read, write, base, version = () => undefined }: DraftSource) {
  const page = usePage()
  const personId = () => page.props.signedIn?.id
  /** What the form began with; null while the form is closed. */
  const began = shallowRef<Input | null>(null)
  const offered = shallowRef<KeptDraft | null>(null)
  const isContinuedStale = shallowRef(false)
  /** Whether the browser has taken the last change. */
  const isKept = shallowRef(true)
  let key = ''

  const beginning = () => (base && began.value ? base() : began.value)
  const changed = computed<Input>(() => {
    const from = beginning()
    if (!from) return {}
    return Object.fromEntries(
      Object.entries(read()).filter(([field, value]) => !isSameInput(value, from[field]))
    )
  })
  const isChanged = computed(() => Object.keys(changed.value).length > 0)

  watch(changed, (input) => {
    const from = beginning()
    if (!from || !key) return
    if (!isChanged.value) return forgetDraft(key)
    const was = Object.fromEntries(Object.keys(input).map((field) => [field, from[field] ?? null]))
    const [, beganAt] = key.split(/#(?=\d+$)/)
    isKept.value = keepDraft(key, {
      beganAt: Number(beganAt),
      changedAt: Date.now(),
      changed: input,
      was,
      version: version(),
    })
  })

  function offerNewest() {
    const person = personId()
    const others = person === undefined ? [] : draftsOf(person, subject())
    offered.value = others.find((draft) => draft.key !== key) ?? null
  }

  /** When the form opens, once its fields have their first values. */
  function begin() {
    const person = personId()
    key = person === undefined ? '' : draftKey(person, subject(), Date.now())
    began.value = JSON.parse(JSON.stringify(read())) as Input
    isContinuedStale.value = false
    offerNewest()
  }

  /** When the form closes; the draft stays. */
  function end() {
    began.value = null
    offered.value = null
    isContinuedStale.value = false
  }

  /** When the person does not want to go on now: what was typed is offered the next time. */
  function cancel() {
    if (key) noteCancelled(key)
    end()
  }

  /** When the form was sent, or its text is not wanted any more. */
  function drop() {
    if (key) forgetDraft(key)
    end()
  }

  const isStale = (draft: KeptDraft) =>
    !isSameInput(draft.version, version()) ||
    Object.entries(draft.was).some(([field, value]) => !isSameInput(value, beginning()?.[field]))
  const isOfferedStale = computed(() => offered.value !== null && isStale(offered.value))

  async function resume() {
    const draft = offered.value
    if (!draft) return
    isContinuedStale.value = isOfferedStale.value
    key = draft.key
    offered.value = null
    write(draft.changed)
    // Fields that follow others, such as a sum that follows the chosen document, are set once more after them.
    await nextTick()
    write(draft.changed)
  }

  function discard() {
    if (offered.value) forgetDraft(offered.value.key)
    offerNewest()
  }

  onUnmounted(
    watchForm({ isChanged: () => isChanged.value, isKept: () => isKept.value, discard: drop })
  )

  return {
    offered,
    isOfferedStale,
    isContinuedStale,
    isChanged,
    isKept,
    begin,
    end,
    cancel,
    drop,
    resume,
    discard,
  }
}
export type FormDraft = ReturnType<typeof useDraft>
