import { DAY_MS } from '~/texts/durations'

/**
 * Drafts in the browser's local storage, which survives a crash and an ended session. One key is one sitting at one form by one
 * person: `draft:<person>:<subject>#<when it began>`. Two tabs with the same form never overwrite each other.
 */
const PREFIX = 'draft:'
export const DRAFT_DAYS = 7

export type Input = Record<string, any>

export interface Draft {
  beganAt: number
  changedAt: number
  /** The fields that differ from what the form began with, and what it began with. */
  changed: Input
  was: Input
  /** The version of the record that the form was made from. */
  version?: unknown
  /** Whether the person has cancelled the form: it is offered again, but nobody is asked about it at the sign-out. */
  isCancelled?: boolean
}
export interface KeptDraft extends Draft {
  key: string
}

const beginningOf = (personId: number, subject = '') => `${PREFIX}${personId}:${subject}`
export const draftKey = (personId: number, subject: string, beganAt: number) =>
  `${beginningOf(personId, subject)}#${beganAt}`

/** Whether the browser has kept it: storage may be full or switched off. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function noteCancelled(key: string) {
  const draft = read(key)
  if (draft) keepDraft(key, { ...draft, isCancelled: true })
}

export function forgetDraft(key: string) {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without storage there is no draft.
  }
}

/** Drafts of a person's form, the newest first. */
export function draftsOf(personId: number, subject: string): KeptDraft[] {
  const drafts = keysFrom(`${beginningOf(personId, subject)}#`).flatMap((key) => read(key) ?? [])
  return drafts.toSorted((one, other) => other.changedAt - one.changedAt)
}

const keysOf = (personId: number) => keysFrom(beginningOf(personId))
export const hasUnsentDrafts = (personId: number) =>
  keysOf(personId).some((key) => !read(key)?.isCancelled)
export const forgetDrafts = (personId: number) => keysOf(personId).forEach(forgetDraft)

/** Removes drafts of anybody that are too old, and what can't be read. */
export function forgetOldDrafts(now = Date.now()) {
  for (const key of keysFrom(PREFIX)) {
    const draft = read(key)
    if (!draft || now - draft.changedAt > DRAFT_DAYS * DAY_MS) forgetDraft(key)
  }
}

function keysFrom(beginning: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(beginning))
  } catch {
    return []
  }
}

function read(key: string): KeptDraft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null
    return draft && Number.isFinite(draft.changedAt) && draft.changed ? { ...draft, key } : null
  } catch {
    return null
  }
}
