import platform from '#config/platform'
import { EPOCH } from '#partners/feed/epoch'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where a reader stands in the feed: everything that one PostgreSQL snapshot could see. */
export interface CursorRow {
  /** `pg_current_snapshot()`: which transactions were visible. */
  snapshot: string
  /** `EPOCH`: a cursor of another one is answered with everything. */
  epoch: string
  /** The clock at that snapshot, for changes that the clock makes without writing a row. */
  read_at: string
}

export const CURSOR_COLUMNS = `pg_current_snapshot()::text AS snapshot, now()::text AS read_at, ${EPOCH} AS epoch`

const TAG_BYTES = 12

function tag(partnerId: number, text: string): Buffer {
  const key = platform.linkKey.release()
  const hmac = createHmac('sha256', key).update(`feed:${partnerId}:${text}`)
  return hmac.digest().subarray(0, TAG_BYTES)
}

/** Opaque and signed for one partner (completions, The change feed). */
export function writeCursor(partnerId: number, { snapshot, epoch, read_at }: CursorRow): string {
  const text = JSON.stringify([1, epoch, snapshot, read_at])
  return Buffer.concat([tag(partnerId, text), Buffer.from(text)]).toString('base64url')
}

/** Stands before every change: it belongs to no cluster, so it is answered with everything. */
export const writeCursorBeforeAll = (partnerId: number): string =>
  writeCursor(partnerId, { epoch: 'none', snapshot: '3:3:', read_at: '1970-01-01T00:00:00Z' })

/** Null for a cursor that is damaged or was given to another partner. */
export function readCursor(partnerId: number, cursor: string): CursorRow | null {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return null
  const text = bytes.subarray(TAG_BYTES).toString()
  if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(partnerId, text))) return null
  const [, epoch, snapshot, readAt] = JSON.parse(text) as [number, string, string, string]
  return { epoch, snapshot, read_at: readAt }
}
