import type { GapOrder } from '#restores/gap_evidence'
import { storageDirectory } from '#shared/storage'
import { writeWhole } from '#shared/whole_file'
import { join } from 'node:path'

const HEADINGS = ['partner', 'order_id', 'amount_tenge', 'known_from']

/**
 * Writes all orders of the gap, as far as they are known, into the storage directory: `gap-20261125T093000Z.csv`, named by the moment
 * restored to. Returns its path. A later call replaces it, because more has become known.
 */
export async function writeGapList(orders: GapOrder[], from: Date): Promise<string> {
  const rows = orders.map(({ partner, orderId, tenge, source }) => [
    partner,
    orderId,
    String(tenge ?? ''),
    source,
  ])
  const moment = from.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const path = join(await storageDirectory('restores'), `gap-${moment}.csv`)
  // No value has a comma: codes and numbers of orders are of letters, digits, hyphens and underscores.
  await writeWhole(path, [HEADINGS, ...rows].map((row) => `${row.join(',')}\n`).join(''))
  return path
}
