/** Of one person for one list; the table has as many places. */
export const MOST_VIEWS = 200
/** Of all people for one list: everybody gets them with every page of it. */
export const MOST_SHARED_VIEWS = 200
export const LONGEST_NAME = 80

export type ViewFilters = Record<string, string>

/** What a person may change of a view. */
export type ViewContent = {
  name: string
  /** Whether everybody sees it who may see the list. */
  isShared: boolean
  filters: ViewFilters
  /** Keys of the columns shown, in their order; null for all that the list has. */
  columns: string[] | null
}

/** An alias, because Inertia's types of JSON accept no interface. */
export type SavedView = ViewContent & {
  id: number
  isMine: boolean
  /** Who made it; null for one's own. */
  madeBy: string | null
  /** Whether the list opens with it, for the person who asks. */
  isDefault: boolean
}

/** Who asks for views. */
export interface Viewer {
  staffId: number
  isAdmin: boolean
  /** Lists that the person may see. */
  lists: readonly string[]
}
