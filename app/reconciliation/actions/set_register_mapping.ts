import { REGISTER_FIELDS, type RegisterField } from '#register_reading/header_words'
import { lockRegister, type PartnerRegister } from '#reconciliation/store/find_register'
import type { ColumnMapping } from '#register_reading/register_table'
import { assertSameColumns, partsOf } from '#reconciliation/store/register_parts'
import { DISCARD_READING } from '#reconciliation/store/register_state'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface SetRegisterMappingInput {
  registerId: number
  version: number
  mapping: ColumnMapping
  actor: Actor
}

const updateMapping = statement<object, { registerId: number; mapping: string }>(
  'register_set_mapping',
  `UPDATE partner_registers SET mapping = :mapping, state = 'mapped', ${DISCARD_READING} WHERE id = :registerId`
)
/** Sets the mapping of a register and discards what was read by another one. The next register of the source gets it proposed. */
export default class SetRegisterMapping {
  async handle({ mapping, actor, ...seen }: SetRegisterMappingInput) {
    return transaction(async (trx) => {
      const found = await lockRegister(seen, 'map', trx)
      assertMapping(mapping, found)
      for (const part of await partsOf(found, trx)) assertSameColumns(found, part)
      await updateMapping({ registerId: found.id, mapping: JSON.stringify(mapping) }, trx)
      const entry = { register_id: found.id, mapping: wordsOf(mapping, found) }
      await record('register_mapped', entry, { actor, partnerId: found.partnerId }, trx)
      return { registerId: found.id, version: found.version + 1 }
    })
  }
}

/** Without a number, rows are matched by day and amount. */
const MATCHED_BY: RegisterField[] = [
  'partnerOrderId',
  'orderId',
  'paymentId',
  'paidAt',
  'createdAt',
]

function assertMapping(mapping: ColumnMapping, { preview }: PartnerRegister) {
  const entries = Object.entries(mapping)
  const columns = entries.map(([, column]) => column)
  const isOfFile = entries.every(
    ([field, column]) =>
      REGISTER_FIELDS.includes(field as RegisterField) && column >= 0 && column < preview.width
  )
  if (!isOfFile) refuseField('mapping', 'exists', 'fields.not_one_of_these')
  if (new Set(columns).size < columns.length)
    refuseField('mapping', 'distinct', 'registers.column_twice')
  if (mapping.amount === undefined) refuseField('mapping', 'required', 'registers.amount_missing')
  if (MATCHED_BY.every((field) => mapping[field] === undefined))
    refuseField('mapping', 'required', 'registers.identifier_missing')
}

/** field → its header, or the number of its column. */
const wordsOf = (mapping: ColumnMapping, { preview }: PartnerRegister) =>
  Object.fromEntries(
    Object.entries(mapping).map(([field, column]) => [
      field,
      preview.headers[column] || `${column + 1}`,
    ])
  )
