import { findPartner } from '#partners/queries/find_partner'
import type { RunKind, RunParams } from '#runs/run_params'
import { insertRun, selectSameRequest } from '#runs/ask_for_run/ask_for_run_sql'
import type { Language } from '#shared/languages'
import { DataHash } from '#spreadsheets/canonical'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export type AskForRunInput<Kind extends RunKind = RunKind> = {
  kind: Kind
  /** Null for a run about several partners. */
  partnerCode: string | null
  params: RunParams[Kind]
  language: Language
  actor: Actor
  /** The change that causes the request; a run that was requested for an earlier change is not reused. */
  causedBy?: string
  /** The state of the data that a document shows; while it is unchanged, the finished run is reused. */
  dataVersion?: string
}

/**
 * Requests a run; a worker starts it within two seconds. The same request returns the run that is queued or running, and with
 * a `dataVersion` also a finished one. Refuses NO_SUCH for an unknown partner.
 */
export default class AskForRun {
  async handle<Kind extends RunKind>(input: AskForRunInput<Kind>) {
    return transaction((trx) => this.within(input, trx))
  }

  /** Requests the run within the caller's transaction. */
  async within<Kind extends RunKind>(input: AskForRunInput<Kind>, trx: TransactionClientContract) {
    const { partnerCode, dataVersion } = input
    const partner = partnerCode === null ? null : await findPartner(partnerCode, trx)
    const mayReuseFinished = dataVersion !== undefined
    const requestHash = this.#hashOf(input, partner?.id ?? null)
    // When the insert conflicts, the concurrent request has committed: the next round finds its run.
    for (;;) {
      const known = await selectSameRequest.first({ requestHash, mayReuseFinished }, trx)
      if (known) return { runId: known.id, isNew: false }
      const made = await this.#insert(input, partner?.id ?? null, requestHash, trx)
      if (made) return { runId: made.id, isNew: true }
    }
  }

  #hashOf(
    { kind, params, language, causedBy, dataVersion }: AskForRunInput,
    partnerId: number | null
  ) {
    const hash = new DataHash()
    hash.add({ kind, language, partner: partnerId, causedBy: causedBy ?? null })
    // Hashed as the row stores them: a date and its text, an absent key and one without a value are the same request.
    hash.add(JSON.parse(JSON.stringify(params)))
    if (dataVersion !== undefined) hash.add({ version: dataVersion })
    return hash.sha256
  }

  async #insert(
    { kind, params, language, actor }: AskForRunInput,
    partnerId: number | null,
    requestHash: string,
    trx: TransactionClientContract
  ) {
    const made = await insertRun.first(
      {
        kind,
        partnerId,
        params: JSON.stringify(params),
        language,
        requestHash,
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
