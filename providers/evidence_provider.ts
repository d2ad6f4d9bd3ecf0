import type { ApplicationService } from '@adonisjs/core/types'

/** Gives the rules of defects their evidence: what reconciliation has found in partners' registers. */
export default class EvidenceProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    const { EvidenceSource } = await import('#defects/facts/evidence')
    const { RegisterEvidenceSource } =
      await import('#reconciliation/evidence/register_evidence_source')
    this.app.container.bind(EvidenceSource, () => new RegisterEvidenceSource())
  }
}
