import { findPartner } from '#partners/queries/find_partner'
import type { RunKind, RunParams } from '#runs/run_params'
import { insertRun, selectSameQuestion } from '#runs/queries/ask'
import type { Language } from '#shared/languages'
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
  /** The state of the data that a document is about: as long as it stays, the run that wrote it is given again. */
  dataVersion?: string
}

/**
 * Asks for a long piece of work; a worker begins it within a second or two. The same question gives the run that is at it
 * already, and with a `dataVersion` also the one that has answered it. Refuses NO_SUCH.
 */
export default class AskForRun {
  async handle<Kind extends RunKind>(input: AskForRunInput<Kind>) {
    return transaction((trx) => this.within(input, trx))
  }

  /** In the transaction of what else depends on it. */
  async within<Kind extends RunKind>(input: AskForRunInput<Kind>, trx: TransactionClientContract) {
    const { partnerCode, dataVersion } = input
    const partner = partnerCode === null ? null : await findPartner(partnerCode, trx)
    const isAnswer = dataVersion !== undefined
    const question = this.#questionOf(input, partner?.id ?? null)
    // Whoever asks at the same moment has committed when the insert finds nothing to do, and may even have an answer.
    for (;;) {
      const known = await selectSameQuestion.first({ question, isAnswer }, trx)
      if (known) return { runId: known.id, isNew: false }
      const made = await this.#insert(input, partner?.id ?? null, question, trx)
      if (made) return { runId: made.id, isNew: true }
    }
  }

  #questionOf(
    { kind, params, language, after, dataVersion }: AskForRunInput,
    partnerId: number | null
  ) {
    const hash = new DataHash()
    hash.add({ kind, language, partner: partnerId, after: after ?? null })
    hash.add(JSON.parse(JSON.stringify(params)))
    if (dataVersion !== undefined) hash.add({ version: dataVersion })
    return hash.sha256
  }

  async #insert(
    { kind, params, language, actor }: AskForRunInput,
    partnerId: number | null,
    question: string,
    trx: TransactionClientContract
  ) {
    const made = await insertRun.first(
      {
        kind,
        partnerId,
        params: JSON.stringify(params),
        language,
        question,
        askedBy: actor.name,
        askedByKind: actor.kind,
        requestId: actor.requestId,
      },
      trx
    )
    if (!made) return
    const subjects = { actor, ...(partnerId !== null && { partnerId }) }
    await record('run_asked', { run: made.id, kind, params: { ...params } }, subjects, trx)
    return made
  }
}
