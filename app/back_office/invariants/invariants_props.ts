import type { Json } from '#staff_area/page_props'
import type { BoardLine } from '#invariants/queries/read_board'

export type InvariantLine = Json<BoardLine>
export type InvariantRunLine = InvariantLine['runs'][number]

export interface InvariantsPage {
  /** In the order of the table of invariants. */
  invariants: InvariantLine[]
  /** Without a worker nothing is checked. */
  hasWorker: boolean
}
