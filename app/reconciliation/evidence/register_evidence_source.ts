import { EvidenceSource } from '#defects/facts/evidence'
import { RegisterEvidence } from '#reconciliation/evidence/read_register_evidence'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Evidence of partners' confirmed registers. */
export class RegisterEvidenceSource extends EvidenceSource {
  override read(partnerId: number, trx: TransactionClientContract) {
    return RegisterEvidence.of(partnerId, trx)
  }
}
