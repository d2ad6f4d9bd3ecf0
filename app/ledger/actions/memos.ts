import { lockAccount, lockAccountById, nextNumber } from '#ledger/accounts'
import { allocateRest, undoAllocationsOf } from '#ledger/actions/allocate_credit'
import { insertMovement } from '#ledger/actions/insert_movement'
import { findItem } from '#ledger/queries/open_items'
import { countSingleAct, needsSecondPerson } from '#ledger/single_person_limits'
import { memoNumber } from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { checkSecondPerson, refuseLinked } from '#staff/second_person'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export const MEMO_KINDS = ['adj_debit', 'adj_credit', 'penalty'] as const
export type MemoKind = (typeof MEMO_KINDS)[number]

export interface RequestMemoInput {
  partnerCode: string
  /** `adj_debit` and `penalty` have the partner owe more, `adj_credit` less. */
  kind: MemoKind
  amountTenge: bigint
  reason: string
  /** The line of an earlier statement that the memo corrects. */
  origin: { statementId: number; line: number | null } | null
  /** The case that is the memo's evidence. */
  caseId?: number
  /** The memo that it takes back: the same amount the other way. */
  reverses?: ApprovedMemo
  actor: Actor
}

interface MemoRow {
  id: number
  partnerId: number
  kind: MemoKind
  amountTenge: bigint
  reason: string
  askedBy: string
  needsSecond: boolean
  outcome: string | null
  reversesId: number | null
}

interface ApprovedMemo {
  id: number
  /** Whether a second person has approved it: then two people take it back. */
  needsSecond: boolean
}

const insertMemo = statement<
  MemoRow,
  {
    partnerId: number
    kind: MemoKind
    amountTenge: bigint
    reason: string
    statementId: number | null
    line: number | null
    askedBy: string
    needsSecond: boolean
    caseId: number | null
    reversesId: number | null
  }
>(
  'settlement_memo_insert',
  `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, origin_statement_id, origin_line, asked_by, needs_second,
          origin_case_id, reverses_id)
   SELECT :partnerId::integer, :kind, :amountTenge, :reason, :statementId::integer, :line, :askedBy, :needsSecond, :caseId::integer,
          :reversesId::integer
    WHERE :statementId::integer IS NULL OR EXISTS (SELECT 1 FROM settlement_statements WHERE id = :statementId::integer AND partner_id = :partnerId::integer)
   RETURNING id, partner_id AS "partnerId", kind, amount_tenge AS "amountTenge", reason, asked_by AS "askedBy",
             needs_second AS "needsSecond", outcome, reverses_id AS "reversesId"`
)
const selectMemo = statement<
  MemoRow & { number: number | null; isReversed: boolean },
  { memoId: number }
>(
  'settlement_memo_by_id',
  `SELECT id, number, partner_id AS "partnerId", kind, amount_tenge AS "amountTenge", reason, asked_by AS "askedBy",
          needs_second AS "needsSecond", outcome, reverses_id AS "reversesId",
          EXISTS (SELECT 1 FROM settlement_memos back WHERE back.reverses_id = memo.id AND back.outcome IS DISTINCT FROM 'declined') AS "isReversed"
     FROM settlement_memos memo WHERE id = :memoId`
)
const lockMemo = statement<MemoRow, { memoId: number }>(
  'settlement_memo_lock',
  `SELECT id, partner_id AS "partnerId", kind, amount_tenge AS "amountTenge", reason, asked_by AS "askedBy",
          needs_second AS "needsSecond", outcome, reverses_id AS "reversesId" FROM settlement_memos WHERE id = :memoId FOR NO KEY UPDATE`
)
// The case that the memo's own one goes on as. Nobody dismisses it meanwhile: what is found holds until the memo is approved.
const lockDismissedCase = statement<{ id: number }, { memoId: number }>(
  'settlement_memo_dismissed_case',
  `SELECT id FROM (
     SELECT c.id, c.state FROM settlement_cases c
      WHERE c.id = (WITH RECURSIVE line AS (
                      SELECT origin.id, origin.merged_into
                        FROM settlement_memos m JOIN settlement_cases origin ON origin.id = m.origin_case_id WHERE m.id = :memoId
                      UNION ALL
                      SELECT next.id, next.merged_into FROM line JOIN settlement_cases next ON next.id = line.merged_into)
                    SELECT id FROM line WHERE merged_into IS NULL)
        FOR SHARE) locked
    WHERE state = 'dismissed'`
)
const setOutcome = statement<
  object,
  { memoId: number; outcome: string; number: number | null; actor: string }
>(
  'settlement_memo_end',
  `UPDATE settlement_memos SET outcome = :outcome, number = :number, decided_by = :actor, decided_at = clock_timestamp() WHERE id = :memoId`
)

const memoEntry = ({ kind, amountTenge, reason }: MemoRow) => ({
  kind,
  amount_tenge: String(amountTenge),
  reason,
})

/** Requests an adjustment memo. Up to what one person may do in a day it is approved at once; above it a second person decides. */
export class RequestMemo {
  async handle(input: RequestMemoInput) {
    if (input.amountTenge <= 0n) refuseField('amountTenge', 'positive', 'must be more than nothing')
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(input.partnerCode, trx)
      return requestMemoWithin(partnerId, input, trx)
    })
  }
}

/** Requests a memo within a transaction that has locked the account. */
export async function requestMemoWithin(
  partnerId: number,
  input: Omit<RequestMemoInput, 'partnerCode'>,
  trx: TransactionClientContract
) {
  const { kind, amountTenge, reason, origin, caseId, reverses, actor } = input
  const needsSecond =
    reverses?.needsSecond || (await needsSecondPerson('correction', amountTenge, actor, trx))
  const memo = await insertMemo.first(
    {
      partnerId,
      kind,
      amountTenge,
      reason,
      statementId: origin?.statementId ?? null,
      line: origin?.line ?? null,
      askedBy: actor.name,
      needsSecond,
      caseId: caseId ?? null,
      reversesId: reverses?.id ?? null,
    },
    trx
  )
  if (!memo) refuse('NO_SUCH', { what: 'statement of this partner' })
  if (needsSecond) await record('memo_asked', memoEntry(memo), { actor, partnerId }, trx)
  else {
    await approve(memo, actor, trx)
    const subject = `memo:${memo.id}`
    await countSingleAct('correction', { amountTenge, subject }, actor, trx)
  }
  return { memoId: memo.id, isApproved: !needsSecond }
}

/**
 * Takes an approved memo back by a memo of its own, of the same amount the other way. What the memo was put against is open
 * again; the memo's own row stays as it is. A second person is needed as for memos, and for what a second person has approved.
 * Refuses NO_SUCH for anything but an approved memo that is no reversal, and ALREADY_EXISTS once it is reversed.
 *
 * Example: credit memo of 5,000, put against SET-000001.
 *   reversed   debit memo of 5,000; SET-000001 has 5,000 more open; the two memos are put against each other
 */
export class ReverseMemo {
  async handle({ memoId, reason, actor }: { memoId: number; reason: string; actor: Actor }) {
    const { partnerId } = await findReversible(memoId)
    return transaction(async (trx) => {
      await lockAccountById(partnerId, trx)
      const memo = await findReversible(memoId, trx)
      if (memo.isReversed)
        refuse('ALREADY_EXISTS', { what: `reversal of ${memoNumber(memo.number!)}` })
      const { amountTenge } = memo
      const kind = memo.kind === 'adj_credit' ? 'adj_debit' : 'adj_credit'
      const reversal = { kind, amountTenge, reason, origin: null, reverses: memo, actor } as const
      return requestMemoWithin(partnerId, reversal, trx)
    })
  }
}

async function findReversible(memoId: number, trx?: TransactionClientContract) {
  const found = await selectMemo.first({ memoId }, trx)
  if (found?.outcome !== 'approved' || found.reversesId !== null)
    refuse('NO_SUCH', { what: 'memo to be reversed' })
  return found
}

/**
 * Approves a requested memo: numbers it and moves the balance. Refuses whoever is no independent second person, and NO_PENALTY for a
 * penalty whose case has been dismissed.
 */
export class ApproveMemo {
  async handle({ memoId, actor }: { memoId: number; actor: Actor }) {
    const asked = await selectMemo.first({ memoId })
    if (!asked) refuse('NO_SUCH', { what: 'memo' })
    const { partnerId } = asked
    const link = await transaction(async (trx) => {
      await lockAccountById(partnerId, trx)
      const memo = await lockOpenMemo(memoId, trx)
      const { askedBy } = memo
      const linked = memo.needsSecond
        ? await checkSecondPerson({ askedBy, actor, partnerId }, trx)
        : null
      if (!linked) await approve(memo, actor, trx)
      return linked
    })
    // Outside the transaction: a refusal within would roll back the journal's record of the attempt.
    if (link) refuseLinked(link)
  }
}

/** Declines a requested memo; nothing moves. Refuses REQUEST_NOT_OPEN once it is decided. */
export class DeclineMemo {
  async handle({ memoId, note, actor }: { memoId: number; note: string | null; actor: Actor }) {
    await transaction(async (trx) => {
      const memo = await lockOpenMemo(memoId, trx)
      await setOutcome(
        { memoId: memo.id, outcome: 'declined', number: null, actor: actor.name },
        trx
      )
      const { partnerId } = memo
      await record('memo_declined', { ...memoEntry(memo), note }, { actor, partnerId }, trx)
    })
  }
}

async function lockOpenMemo(memoId: number, trx: TransactionClientContract) {
  const memo = await lockMemo.first({ memoId }, trx)
  if (!memo) refuse('NO_SUCH', { what: 'memo' })
  if (memo.outcome !== null) refuse('REQUEST_NOT_OPEN')
  return memo
}

async function approve(memo: MemoRow, actor: Actor, trx: TransactionClientContract) {
  if (memo.kind === 'penalty' && (await lockDismissedCase.first({ memoId: memo.id }, trx)))
    refuse('NO_PENALTY')
  const { id, kind, partnerId, amountTenge } = memo
  const number = await nextNumber('memo', trx)
  await setOutcome({ memoId: id, outcome: 'approved', number, actor: actor.name }, trx)
  const signed = kind === 'adj_credit' ? -amountTenge : amountTenge
  await insertMovement({ partnerId, kind, signed, source: `memo:${id}` }, trx)
  const reversed = memo.reversesId === null ? null : await putAgainstReversed(memo, actor, trx)
  const change = { ...memoEntry(memo), memo: memoNumber(number), ...(reversed ?? {}) }
  await record('memo_approved', change, { actor, partnerId }, trx)
}

/** What is left of the memo that is taken back and of this one is put against each other. Returns what the journal says of it. */
async function putAgainstReversed(memo: MemoRow, actor: Actor, trx: TransactionClientContract) {
  const { id, partnerId, amountTenge, reason } = memo
  const reversed = await selectMemo.one({ memoId: memo.reversesId! }, trx)
  const item = `memo:${reversed.id}`
  await undoAllocationsOf({ partnerId, item, reason }, actor, trx)
  await allocateRest(
    await findItem.one({ partnerId, item }, trx),
    await findItem.one({ partnerId, item: `memo:${id}` }, trx),
    { partnerId, mostTenge: amountTenge, actor },
    trx
  )
  return { reverses: memoNumber(reversed.number!) }
}
