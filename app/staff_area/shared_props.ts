import type { Language } from '#shared/languages'
import type { Ability } from '#staff_area/permissions'
import type { Role } from '#staff/role'
import type { SavedView } from '#staff/saved_views/saved_view'

/** A message that an action succeeded, shown once. */
export interface Notice {
  /** The request that did it, so that a page drawn twice shows it once. */
  id: string
  /** A key of the pages' texts. */
  key: string
  values?: Record<string, string | number>
  /** How to undo it; null for what cannot be undone. */
  undo: Undo | null
}

/** The request of the opposite act, which the page sends when somebody presses “Undo”. */
export type Undo = {
  method: 'post' | 'put' | 'delete'
  url: string
  data: Record<string, string | number | boolean | null | undefined | string[]>
}

/** Who changed a record after the version that an act was about. */
export type ChangedBy = {
  /** The actor of the journal: an e-mail, or `clock`. */
  by: string
  at: string
}

export interface SignedInPerson {
  id: number
  name: string
  email: string
  role: Role
}

/** The page in place of one that the role may not see. */
export interface MissingAbilityPage {
  ability: Ability
  /** Roles that have it. */
  roles: Role[]
}

/** The props that every page of the back office gets. */
export interface SharedPageProps {
  language: Language
  signedIn: SignedInPerson | null
  abilities: Ability[]
  notice: Notice | null
  /** After an act that was refused because of it. */
  changedBy: ChangedBy | null
  /** What everybody must know before they act: nothing is delivered; nothing is sold after a restore. */
  bands: Band[]
  savedViews?: SavedViewsOfList
}

/** On the pages of lists whose views can be saved. */
export type SavedViewsOfList = {
  /** The list's name. */
  list: string
  /** One's own and shared ones, by name. */
  views: SavedView[]
}

export type Band = 'quiet' | 'restored'

/** Who may approve what somebody asks for. */
export interface SecondPeople {
  /** Names of those who may approve. */
  approvers: string[]
  /** Why the viewer may not approve, though they have the right; null when they may. */
  link: { by: string; until: string } | null
  /** For how many days a change of an account links two people. */
  days: number
}
