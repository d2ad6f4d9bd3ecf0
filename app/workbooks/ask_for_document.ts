import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { partnerByCode } from '#partners/queries/find_partner'
import AskForRun, { type AskForRunInput } from '#runs/ask_for_run/ask_for_run'
import type { DocumentKind } from '#runs/run_params'
import { WORKBOOK_VERSION } from '#workbooks/document'
import { selectDataVersion } from '#workbooks/queries/data_version'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

type Asked<Kind extends DocumentKind> = Omit<
  AskForRunInput<Kind>,
  'dataVersion' | 'partnerCode'
> & {
  partnerCode: string
}

/** Asks for a workbook or a list of defects; the one that was written already, as long as it would say the same. */
export default class AskForDocument {
  async handle<Kind extends DocumentKind>(asked: Asked<Kind>) {
    return transaction((trx) => this.within(asked, trx))
  }

  /** In the transaction of what else depends on it. */
  async within<Kind extends DocumentKind>(asked: Asked<Kind>, trx: TransactionClientContract) {
    const partner = await partnerByCode.first({ code: asked.partnerCode }, trx)
    const { version } = await selectDataVersion.one({ partnerId: partner?.id ?? null }, trx)
    const { version: rules } = await activeRuleSet(trx)
    const dataVersion = JSON.stringify([version, rules, WORKBOOK_VERSION])
    return new AskForRun().within({ ...asked, dataVersion }, trx)
  }
}
