import { EPOCH } from '#partners/feed/epoch'
import { isLinkMac, linkMac } from '#shared/link_key'

/**
 * A snapshot-based change feed: the cursor is the PostgreSQL snapshot of the last answer, so a change that commits late
 * is never missed, as it would be with a cursor made of timestamps or sequence numbers.
 *
 *     snapshot of the cursor '10:13:11'   every transaction below 13 was visible, except 11
 *     event A  change_xid  9              visible then: not returned
 *     event B  change_xid 11              committed after the snapshot: returned
 *     event C  change_xid 13              began after the snapshot: returned
 *     cursor of another epoch             every event is returned
 */
export interface FeedPosition {
  /** `pg_current_snapshot()`: which transactions were visible. */
  snapshot: string
  /** `EPOCH`: a cursor of another epoch is answered with every event. */
  epoch: string
  /** The time of that snapshot, for changes by the clock, which write no row. */
  read_at: string
}

export const POSITION_COLUMNS = `pg_current_snapshot()::text AS snapshot, now()::text AS read_at, ${EPOCH} AS epoch`

/** SQL: whether the transaction in the column `xid` was not visible in `snapshot`. */
export const isNewSince = (snapshot: string, xid: string) =>
  `(${xid} >= pg_snapshot_xmin(${snapshot}) AND NOT pg_visible_in_snapshot(${xid}, ${snapshot}))`

const TAG_BYTES = 12

const taggedText = (partnerId: number, text: string) => `feed:${partnerId}:${text}`

/** Opaque and signed for one partner (completions, The change feed). */
export function writeCursor(partnerId: number, position: FeedPosition): string {
  const text = JSON.stringify([1, position.epoch, position.snapshot, position.read_at])
  const tag = linkMac(taggedText(partnerId, text)).subarray(0, TAG_BYTES)
  return Buffer.concat([tag, Buffer.from(text)]).toString('base64url')
}

/** A cursor from before every change: its epoch is none of ours, so it is answered with every event. */
export const writeFirstCursor = (partnerId: number): string =>
  writeCursor(partnerId, { epoch: 'none', snapshot: '3:3:', read_at: '1970-01-01T00:00:00Z' })

/** Null for a cursor that is damaged or was given to another partner. */
export function readCursor(partnerId: number, cursor: string): FeedPosition | null {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return null
  const text = bytes.subarray(TAG_BYTES).toString()
  const tag = bytes.subarray(0, TAG_BYTES)
  if (!isLinkMac(taggedText(partnerId, text), tag, TAG_BYTES)) return null
  const [, epoch, snapshot, readAt] = JSON.parse(text) as [number, string, string, string]
  return { epoch, snapshot, read_at: readAt }
}
