import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/vue3'
import { shallowRef } from 'vue'
import { forgetOldDrafts } from '~/drafts/keep'

/** What somebody was about to do. */
export type Leaving = 'leave' | 'close' | 'sign_out'
export type Answer = 'stay' | 'keep' | 'discard'

interface WatchedForm {
  isChanged: () => boolean
  /** Whether its text is kept as a draft. */
  isKept: () => boolean
  discard: () => void
}
interface Question {
  about: Leaving
  canKeep: boolean
  answer: (answer: Answer) => void
}

const forms = new Set<WatchedForm>()
/** The question that is asked now. */
export const question = shallowRef<Question | null>(null)

const changedForms = () => [...forms].filter((form) => form.isChanged())

/** Loaded with the first form: without a connection it could not be loaded any more. */
export const loadLeaveDialog = () => import('~/components/drafts/leave_dialog.vue')

/** Asks before this form is left with changes. Returns what ends it. */
export function watchForm(form: WatchedForm) {
  forms.add(form)
  void loadLeaveDialog()
  return () => void forms.delete(form)
}

export function ask(about: Leaving): Promise<Answer> {
  question.value?.answer('stay')
  return new Promise((resolve) => {
    question.value = {
      about,
      canKeep: changedForms().every((form) => form.isKept()),
      answer: (answer) => {
        question.value = null
        resolve(answer)
      },
    }
  })
}

/** Places in the history of this tab, where the browser knows them; otherwise every move is one step back. */
const place = () =>
  (window as { navigation?: { currentEntry?: { index: number } } }).navigation?.currentEntry?.index

/**
 * The question before changed fields are left: by a link, the browser's back and forward, or closing the tab. Begins before Inertia
 * does: listeners of a window run in the order in which they were added, and Inertia's would show the other page.
 */
export function askBeforeLeaving() {
  /** Whether somebody has decided to leave. */
  let isLeaving = false
  /** Whether the next move in the history only takes back one that asks first. */
  let isReturning = false
  let here = { place: place(), path: '' }
  const note = () => void (here = { place: place(), path: location.pathname + location.search })

  async function mayLeave() {
    const answer = await ask('leave')
    if (answer === 'discard') for (const form of changedForms()) form.discard()
    return answer !== 'stay'
  }

  /** Acts, and what only loads the page's own parts again, keep what is typed. */
  function askBeforeVisit(visit: PendingVisit) {
    const staysHere = visit.method !== 'get' || visit.prefetch || visit.preserveState === true
    if (isLeaving || staysHere || changedForms().length === 0) return
    const { url, replace } = visit
    void mayLeave().then((leaves) => {
      if (!leaves) return
      isLeaving = true
      router.visit(url, { replace, onFinish: () => (isLeaving = false) })
    })
    return false
  }

  /** The browser has moved already: it is taken back, and repeated when the person leaves. */
  function askBeforeMove(event: PopStateEvent) {
    if (isReturning) {
      isReturning = false
      return event.stopImmediatePropagation()
    }
    const isSamePage = here.path === location.pathname + location.search
    if (isLeaving || isSamePage || changedForms().length === 0) {
      isLeaving = false
      return note()
    }
    event.stopImmediatePropagation()
    const [from, to] = [here.place, place()]
    const steps = from === undefined || to === undefined ? -1 : to - from
    isReturning = true
    history.go(-steps)
    void mayLeave().then((leaves) => {
      if (!leaves) return
      isLeaving = true
      history.go(steps)
    })
  }

  function askBeforeUnload(event: BeforeUnloadEvent) {
    if (!isLeaving && changedForms().length > 0) event.preventDefault()
  }

  forgetOldDrafts()
  note()
  router.on('before', ({ detail: { visit } }) => askBeforeVisit(visit))
  router.on('navigate', note)
  addEventListener('popstate', askBeforeMove)
  addEventListener('beforeunload', askBeforeUnload)
}
