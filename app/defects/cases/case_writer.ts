import { inheritCases } from '#defects/cases/inherit_cases'
import { reopenCases } from '#defects/cases/reopen_cases'
import { saveCases, type FoundCase, type SaveCasesInput } from '#defects/cases/save_cases'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const BATCH = 500

const selectMerged = statement<
  { id: number; mergedInto: number },
  { partnerId: number; keys: string[] }
>(
  'settlement_cases_merged',
  `SELECT id, merged_into AS "mergedInto" FROM settlement_cases
    WHERE partner_id = :partnerId AND key = ANY(:keys::text[]) AND merged_into IS NOT NULL`
)

/** Stores the cases of one check in batches; PostgreSQL writes a batch while the next one is judged. */
export class CaseWriter {
  count = 0
  /** Cases with a story of their own again → the case that they were part of. */
  readonly parted = new Map<number, number>()
  #batch: FoundCase[] = []
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(
    private readonly check: SaveCasesInput,
    private readonly signal?: AbortSignal
  ) {}

  /** Throws the error of the batch before. */
  async add(found: FoundCase) {
    this.count++
    if (this.#batch.push(found) >= BATCH) await this.#write()
  }

  /** Writes what is left; throws the error of any batch that was not written. */
  async end() {
    await this.#write()
    await this.#lastWrite
  }

  /** Resolves when nothing is being written, also after a failure: another check may begin. */
  whenIdle = () => this.#lastWrite.catch(() => {})

  async #write() {
    // One batch at a time: a story may inherit a case that the batch before has stored.
    await this.#lastWrite
    const batch = this.#batch
    this.#batch = []
    if (batch.length === 0) return
    this.#lastWrite = this.#save(batch)
    // No rejection without a handler: whoever awaits the write next gets the error.
    this.#lastWrite.catch(() => {})
  }

  #save(found: FoundCase[]) {
    const { partnerId } = this.check
    return transaction(async (trx) => {
      const inherited = await inheritCases(partnerId, found, trx)
      const keys = inherited.map(({ key }) => key)
      for (const { id, mergedInto } of await selectMerged({ partnerId, keys }, trx))
        this.parted.set(id, mergedInto)
      await reopenCases(partnerId, inherited, trx)
      await saveCases(this.check, inherited, trx)
    }, this.signal)
  }
}
