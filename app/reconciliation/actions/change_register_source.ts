import { assertName } from '#reconciliation/store/choose_source'
import { requestCheckOfSource } from '#reconciliation/store/check_of_source'
import {
  dayShiftOf,
  findSource,
  lockSource,
  SHIFT_DAYS,
  takeTurnForSources,
  type SourceSettings,
} from '#reconciliation/store/register_source'
import type { Asker } from '#reconciliation/store/request_check'
import { MAKE_UNREAD } from '#reconciliation/store/register_state'
import { differences, record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { isDeepStrictEqual } from 'node:util'

/** Omitted fields stay unchanged. Words are added to those that are known, or correct them. */
export interface ChangeRegisterSourceInput extends Asker, Partial<Omit<SourceSettings, 'isSetUp'>> {
  sourceId: number
  /** Of the source. */
  version: number
  /** Whether a person has seen what the file suggests and decided: also to leave everything as it is. */
  isSetupDecided?: boolean
}

interface SourceRow extends Omit<SourceSettings, 'words'> {
  id: number
  words: string
}
const updateSource = statement<object, SourceRow>(
  'register_source_update',
  `UPDATE register_sources SET name = :name, row_is = :rowIs, covers_sales = :coversSales, covers_refunds = :coversRefunds,
          words = :words, rows_show = :rowsShow, amounts_are = :amountsAre, unit = :unit, payment_ids_are = :paymentIdsAre,
          utc_offset_minutes = :utcOffsetMinutes, day_start_minutes = :dayStartMinutes, is_set_up = :isSetUp,
          version = version + 1 WHERE id = :id`
)
const selectNamesake = statement<{ id: number }, { partnerId: number; id: number; name: string }>(
  'register_source_namesake',
  `SELECT id FROM register_sources WHERE partner_id = :partnerId AND id <> :id AND lower(name) = lower(:name)`
)

// What was read by another set-up, or is being read at this moment, is read again.
const makeUnread = statement<object, { sourceId: number; shiftMinutes: number }>(
  'register_source_unread',
  `UPDATE partner_registers
      SET ${MAKE_UNREAD}, ${SHIFT_DAYS}
    WHERE id IN (SELECT id FROM partner_registers
                  WHERE source_id = :sourceId AND state IN ('uploaded', 'mapped', 'read', 'matched')
                  ORDER BY id FOR NO KEY UPDATE)`
)
/** Settings that rows are read by: whoever changes one has said how. */
const READING = [
  'rowIs',
  'rowsShow',
  'amountsAre',
  'unit',
  'paymentIdsAre',
  'utcOffsetMinutes',
  'dayStartMinutes',
] as const
/** Settings that registers are read and matched by. */
const MATCHING = [...READING, 'coversSales', 'coversRefunds', 'words'] as const

/**
 * Changes the set-up of a source. Confirmed registers stay as they were read; only whose numbers their payment ids are is said of them,
 * too: they are judged again. Refuses STALE after a change since `version`, and a name that another source has.
 */
export default class ChangeRegisterSource {
  async handle({
    sourceId,
    version,
    isSetupDecided = false,
    actor,
    language,
    ...change
  }: ChangeRegisterSourceInput) {
    return transaction(async (trx) => {
      const { partnerId: ofPartner } = await findSource(sourceId, trx)
      await takeTurnForSources(ofPartner, trx)
      const found = await lockSource(sourceId, trx)
      const { id, partnerId, version: seen, ...was } = found
      if (seen !== version) refuse('STALE')
      const is = {
        name: change.name === undefined ? was.name : assertName(change.name),
        rowIs: change.rowIs ?? was.rowIs,
        coversSales: change.coversSales ?? was.coversSales,
        coversRefunds: change.coversRefunds ?? was.coversRefunds,
        words: { ...was.words, ...change.words },
        rowsShow: change.rowsShow ?? was.rowsShow,
        amountsAre: change.amountsAre ?? was.amountsAre,
        unit: change.unit ?? was.unit,
        paymentIdsAre: change.paymentIdsAre ?? was.paymentIdsAre,
        utcOffsetMinutes: change.utcOffsetMinutes ?? was.utcOffsetMinutes,
        dayStartMinutes: change.dayStartMinutes ?? was.dayStartMinutes,
      } satisfies Omit<SourceSettings, 'isSetUp'>
      const isOther = (setting: keyof typeof is) => !isDeepStrictEqual(is[setting], was[setting])
      const isSetUp = was.isSetUp || isSetupDecided || READING.some(isOther)
      if (!is.coversSales && !is.coversRefunds)
        refuseField('coversSales', 'required', 'registers.source_covers_nothing')
      if (await selectNamesake.first({ partnerId, id, name: is.name }, trx))
        refuse('ALREADY_EXISTS', { what: 'source' })
      const changed = differences(was, { ...is, isSetUp })
      if (Object.keys(changed).length === 0) return
      await updateSource({ id, ...is, isSetUp, words: JSON.stringify(is.words) }, trx)
      if (MATCHING.some(isOther))
        await makeUnread({ sourceId: id, shiftMinutes: dayShiftOf(is) }, trx)
      const entry = { source_id: id, source: is.name, changed }
      await record('register_source_changed', entry, { actor, partnerId }, trx)
      if (is.paymentIdsAre === was.paymentIdsAre) return undefined
      const causedBy = `source ${id}, ${version + 1}`
      return requestCheckOfSource({ sourceId: id, causedBy }, { actor, language }, trx)
    })
  }
}
