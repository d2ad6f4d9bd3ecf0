import { messages, reason, rowNumber } from '#staff_area/form_fields'
import { CASE_STATES } from '#case_work/case_state'
import vine from '@vinejs/vine'

/** Nobody reviews more than this before changing them together. */
const MOST_CASES = 200

const change = {
  state: vine.enum(CASE_STATES).optional(),
  owner: vine
    .string()
    .regex(/^(me|none|\d{1,9})$/)
    .optional(),
  dueOn: vine
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .nullable()
    .optional(),
  isFalsePositive: vine.boolean().optional(),
  reason: vine.string().trim().maxLength(500).nullable().optional(),
}

export const caseChangeValidator = vine.create({ ...change, version: rowNumber() })
caseChangeValidator.messagesProvider = messages

export const casesChangeValidator = vine.create({
  ...change,
  cases: vine
    .array(vine.object({ caseId: rowNumber(), version: rowNumber() }))
    .minLength(1)
    .maxLength(MOST_CASES),
})
casesChangeValidator.messagesProvider = messages

export const caseOwnerValidator = vine.create({
  version: rowNumber(),
  isTaken: vine.boolean(),
  /** Only of an undo (`case_undo.ts`). */
  before: vine.string().maxLength(1_000).optional(),
})
caseOwnerValidator.messagesProvider = messages

export const caseNoteValidator = vine.create({ text: reason() })
caseNoteValidator.messagesProvider = messages

export const penaltyValidator = vine.create({ reason: reason() })
penaltyValidator.messagesProvider = messages

export const monthValidator = vine.create({
  month: vine.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/),
})
monthValidator.messagesProvider = messages
