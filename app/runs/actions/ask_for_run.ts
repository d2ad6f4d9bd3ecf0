import { findPartner } from '#partners/queries/find_partner'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { ANSWERS, type RunKind, type RunParams } from '#worker/run_kinds'
import { insertRun, selectDataVersion, selectSameQuestion } from '#runs/queries/ask'
import { WORKBOOK_VERSION } from '#workbooks/document'
import type { Language } from '#workbooks/words/words'
import { DataHash } from '#spreadsheets/canonical'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export type AskForRunInput<Kind extends RunKind = RunKind> = {
  kind: Kind
  /** Null for what concerns several partners. */
  partnerCode: string | null
  params: RunParams[Kind]
  language: Language
  actor: Actor
  /** The change that asks for it: work that has begun before it is no answer. */
  after?: string
}

/**
 * Asks for a long piece of work; a worker begins it within a second or two. The same question gives the run that is at it
 * already, and for a document the one that answered it, as long as no data have changed. Refuses NO_SUCH.
 */
export default class AskForRun {
  async handle<Kind extends RunKind>(input: AskForRunInput<Kind>) {
    return transaction((trx) => this.within(input, trx))
  }

  /** In the transaction of what else depends on it. */
  async within<Kind extends RunKind>(input: AskForRunInput<Kind>, trx: TransactionClientContract) {
    const { kind, partnerCode } = input
    const partner = partnerCode === null ? null : await findPartner(partnerCode, trx)
    const isAnswer = ANSWERS.includes(kind)
    const question = await this.#questionOf(input, partner?.id ?? null, trx)
    // Whoever asks at the same moment has committed when the insert finds nothing to do, and may even have an answer.
    for (;;) {
      const known = await selectSameQuestion.first([question, isAnswer], trx)
      if (known) return { runId: known.id, isNew: false }
      const made = await this.#insert(input, partner?.id ?? null, question, trx)
      if (made) return { runId: made.id, isNew: true }
    }
  }

  async #questionOf(
    { kind, params, language, after }: AskForRunInput,
    partnerId: number | null,
    trx: TransactionClientContract
  ) {
    const hash = new DataHash()
    hash.add({ kind, language, partner: partnerId, after: after ?? null })
    hash.add(JSON.parse(JSON.stringify(params)))
    if (ANSWERS.includes(kind)) {
      const { version } = await selectDataVersion.one([partnerId], trx)
      const { version: rules } = await activeRuleSet(trx)
      hash.add({ version, rules, book: WORKBOOK_VERSION })
    }
    return hash.sha256
  }

  async #insert(
    { kind, params, language, actor }: AskForRunInput,
    partnerId: number | null,
    question: string,
    trx: TransactionClientContract
  ) {
    const told = JSON.stringify(params)
    const by = [actor.name, actor.kind, actor.requestId]
    const made = await insertRun.first([kind, partnerId, told, language, question, ...by], trx)
    if (!made) return
    const subjects = { actor, ...(partnerId !== null && { partnerId }) }
    await record('run_asked', { run: made.id, kind, params: { ...params } }, subjects, trx)
    return made
  }
}
