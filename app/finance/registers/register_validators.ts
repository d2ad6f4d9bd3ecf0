import { day } from '#staff_area/day_field'
import { messages, reason, rowNumber } from '#staff_area/form_fields'
import { AMOUNT_CONTENTS, UNITS } from '#register_reading/read_amount'
import { ROW_CONTENTS, ROW_MEANINGS, WORD_MEANINGS } from '#register_reading/read_kind'
import { PAYMENT_ID_ORIGINS } from '#register_reading/row_reading'
import { ROWS_ARE } from '#register_reading/register_part'
import { LONGEST_SOURCE_NAME } from '#reconciliation/store/choose_source'
import vine from '@vinejs/vine'

const LARGEST_TENGE = 1_000_000_000_000_000
/** Nobody reviews more than this before changing them together. */
const MOST_CASES = 200
const LONGEST_SHEET = 100
const LONGEST_WORD = 500
const MOST_WORDS = 200
/** More than a year of daily registers. */
const MOST_REPLACED = 400
const MOST_FEE_RULES = 1_000

const MOST_SHEETS = 100

/** An existing source, or the name of a new one. */
const sourceChoice = {
  sourceId: rowNumber().nullable().optional(),
  sourceName: vine.string().trim().maxLength(LONGEST_SOURCE_NAME).nullable().optional(),
}

/** What the cover letter states. */
const declared = {
  declaredRows: vine.number().withoutDecimals().min(0).max(1_000_000).nullable().optional(),
  declaredTenge: vine
    .number()
    .withoutDecimals()
    .min(-LARGEST_TENGE)
    .max(LARGEST_TENGE)
    .nullable()
    .optional(),
}

export const uploadValidator = vine.create({
  ...sourceChoice,
  ...declared,
  from: day(),
  /** The last day. */
  to: day(),
})
uploadValidator.messagesProvider = messages

export const partValidator = vine.create({
  version: rowNumber(),
  rowsAre: vine.enum(ROWS_ARE),
  ...declared,
})
partValidator.messagesProvider = messages

const sheetOfFile = {
  sha256: vine.string().regex(/^[0-9a-f]{64}$/),
  sheet: vine.string().maxLength(LONGEST_SHEET),
}
export const sheetsValidator = vine.create({
  version: rowNumber(),
  sheets: vine
    .array(vine.object({ ...sheetOfFile, rowsAre: vine.enum(ROWS_ARE) }))
    .minLength(1)
    .maxLength(MOST_SHEETS),
})
sheetsValidator.messagesProvider = messages

export const leaveOutValidator = vine.create({
  version: rowNumber(),
  sheets: vine.array(vine.object(sheetOfFile)).minLength(1).maxLength(MOST_SHEETS),
  reason: reason(),
})
leaveOutValidator.messagesProvider = messages

export const sourceChoiceValidator = vine.create({ version: rowNumber(), ...sourceChoice })
sourceChoiceValidator.messagesProvider = messages

/** Pairs, as a word may be anything. */
const words = () =>
  vine
    .array(
      vine.object({
        word: vine.string().minLength(1).maxLength(LONGEST_WORD),
        meaning: vine.enum(WORD_MEANINGS),
      })
    )
    .maxLength(MOST_WORDS)

export const sourceValidator = vine.create({
  /** Of the source. */
  version: rowNumber(),
  isSetupDecided: vine.boolean().optional(),
  name: vine.string().trim().minLength(1).maxLength(LONGEST_SOURCE_NAME).optional(),
  rowIs: vine.enum(ROW_MEANINGS).optional(),
  rowsShow: vine.enum(ROW_CONTENTS).optional(),
  amountsAre: vine.enum(AMOUNT_CONTENTS).optional(),
  unit: vine.enum(UNITS).optional(),
  paymentIdsAre: vine.enum(PAYMENT_ID_ORIGINS).optional(),
  utcOffsetMinutes: vine.number().withoutDecimals().min(-720).max(840).optional(),
  dayStartMinutes: vine.number().withoutDecimals().min(-720).max(720).optional(),
  coversSales: vine.boolean().optional(),
  coversRefunds: vine.boolean().optional(),
  words: words().optional(),
})
sourceValidator.messagesProvider = messages

export const wordsValidator = vine.create({
  /** Of the source. */
  version: rowNumber(),
  words: words().minLength(1),
})
wordsValidator.messagesProvider = messages

/** field → column, from 0; the action checks that the field and the column exist. */
export const mappingValidator = vine.create({
  version: rowNumber(),
  mapping: vine.record(vine.number().withoutDecimals().min(0)),
})
mappingValidator.messagesProvider = messages

export const lookValidator = vine.create({
  version: rowNumber(),
  sheet: vine.string().maxLength(LONGEST_SHEET).optional(),
  headerLine: vine.number().withoutDecimals().min(0).max(1_000).optional(),
})
lookValidator.messagesProvider = messages

export const decisionValidator = vine.create({
  decision: vine.enum(['accepted', 'rejected', 'open'] as const).optional(),
  owner: vine
    .string()
    .regex(/^(me|none|\d{1,9})$/)
    .optional(),
  dueOn: vine
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .nullable()
    .optional(),
  note: vine.string().trim().maxLength(500).nullable().optional(),
  cases: vine
    .array(vine.object({ caseId: rowNumber(), version: rowNumber() }))
    .minLength(1)
    .maxLength(MOST_CASES),
})
decisionValidator.messagesProvider = messages

export const confirmationValidator = vine.create({
  version: rowNumber(),
  replaces: vine.array(rowNumber()).maxLength(MOST_REPLACED).optional(),
  /** Why it is confirmed although something is wrong with it. */
  reason: reason().nullable().optional(),
})
confirmationValidator.messagesProvider = messages

export const feeRuleValidator = vine.create({
  version: rowNumber(),
  /** Its place among the register's fee rules. */
  place: vine.number().withoutDecimals().min(0).max(MOST_FEE_RULES),
  isKept: vine.boolean(),
})
feeRuleValidator.messagesProvider = messages

export const dropValidator = vine.create({ version: rowNumber(), reason: reason() })
dropValidator.messagesProvider = messages

export const versionValidator = vine.create({ version: rowNumber() })
versionValidator.messagesProvider = messages
