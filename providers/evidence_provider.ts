import type { ApplicationService } from '@adonisjs/core/types'

/** Provides the defect rules with evidence: the reconciliation results of partners' registers. */
export default class EvidenceProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    const { EvidenceSource } = await import('#defects/facts/evidence')
    const { RegisterEvidenceSource } = await import('#register_evidence/register_evidence')
    this.app.container.bind(EvidenceSource, () => new RegisterEvidenceSource())
  }
}
