import {
  applyRemembered,
  isRemembered,
  type RememberedMapping,
  type RememberedRefusal,
} from '#register_reading/remembered_mapping'
import { statement } from '#shared/statement'

/** Whose file it is; without a source it is of the one that its headers fit. */
export interface RegisterOwner {
  partnerId: number
  sourceId?: number
}
interface MappingOfSource extends RememberedMapping {
  sourceId: number
}

const selectMappings = statement<MappingOfSource, { partnerId: number }>(
  'register_remembered_mappings',
  `SELECT source_id AS "sourceId", mapping, preview -> 'headers' AS headers FROM partner_registers
    WHERE partner_id = :partnerId AND mapping IS NOT NULL ORDER BY id DESC LIMIT 200`
)

/** The mapping of each source's newest register, the newest first. */
export async function rememberedMappings({ partnerId }: RegisterOwner): Promise<MappingOfSource[]> {
  const found = await selectMappings({ partnerId })
  const bySource = Map.groupBy(found.filter(isRemembered), ({ sourceId }) => sourceId)
  return [...bySource.values()].map(([newest]) => newest)
}

/**
 * The mapping that fits a file: of its own source, or of the source that knows most of its headers. Where none fits, one to say
 * why.
 *
 * Example: the shop's registers have Order, Total; the bank's Order, Total, Fee.
 *   Order, Total, Fee   the bank's
 *   Order, Total        the shop's
 */
export function bestRemembered(
  known: readonly MappingOfSource[],
  headers: readonly string[],
  { sourceId }: RegisterOwner
): RememberedMapping | undefined {
  const isOfSource = (one: MappingOfSource) => one.sourceId === sourceId
  const fitting = known
    .flatMap((one) => {
      const applied = applyRemembered(one, headers)
      return applied.isApplied ? [{ one, unknown: applied.newColumns.length }] : []
    })
    .toSorted((a, b) => a.unknown - b.unknown)
    .map(({ one }) => one)
  return fitting.find(isOfSource) ?? fitting.at(0) ?? known.find(isOfSource) ?? known.at(0)
}

/** Why the columns of a source do not fit a file, also where those of another source do; null where they fit or are not known. */
export async function refusalOfSource(
  { partnerId, sourceId }: Required<RegisterOwner>,
  headers: readonly string[]
): Promise<RememberedRefusal | null> {
  const known = await rememberedMappings({ partnerId })
  const own = known.find((one) => one.sourceId === sourceId)
  const applied = own && applyRemembered(own, headers)
  return !applied || applied.isApplied ? null : applied.refusal
}
