import { periodValidator, statementActValidator } from '#finance/settlement/settlement_validators'
import { mailingOf, readMails } from '#finance/mails/read_mails'
import { statementLine, totalsOf } from '#finance/settlement/read_account'
import type {
  IssuedStatement,
  StatementPage,
  StatementParties,
} from '#finance/settlement/settlement_props'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { redirectToRun } from '#finance/redirect_to_run'
import { languageOf } from '#staff_area/language_of'
import { idOf } from '#staff_area/id_of'
import type { ServerProps } from '#staff_area/page_props'
import { readOnce } from '#staff_area/read_once'
import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import {
  findStatement,
  type SettlementStatement,
  type StatementRef,
} from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { STATEMENT_TRANSITIONS, statementNumber } from '#ledger/statement_status'
import { findIssuerAt } from '#ledger/issuer'
import { amountDue } from '#ledger/movements'
import { findTermsById, isCarriedOver, type TermsRow } from '#ledger/terms'
import { statement } from '#shared/statement'
import type { HttpContext } from '@adonisjs/core/http'

const linkTo = (other: StatementRef | null) =>
  other && { id: other.id, number: statementNumber(other.number) }

function issuedStatement(found: SettlementStatement, terms: TermsRow): IssuedStatement {
  const periodDue = amountDue(found.totals)
  const isCarried = isCarriedOver(found.closingTenge, terms)
  return {
    ...statementLine(found),
    partner: found.partnerCode,
    partnerName: found.partnerName,
    lateLines: found.lateLines,
    zone: found.zone,
    statementSha256: found.statementSha256,
    prevSha256: found.prevSha256,
    prevId: found.prevId,
    issuedAt: found.issuedAt.toISOString(),
    issuedBy: found.issuedBy,
    disputeUntil: found.disputeUntil.toISOString(),
    statusAt: found.statusAt.toISOString(),
    statusBy: found.statusBy,
    statusNote: found.statusNote,
    supersedes: linkTo(found.supersedes),
    supersededBy: linkTo(found.supersededBy),
    openingTenge: Number(found.openingTenge),
    periodDueTenge: periodDue === found.dueTenge || !found.paymentStatus ? null : Number(periodDue),
    carriedUnderTenge: isCarried ? Number(terms.minPaymentTenge) : null,
  }
}

async function partiesOf(
  { asOf, partnerName }: SettlementStatement,
  { legalName, bin, signatory, contractNumber, contractDate }: TermsRow
): Promise<StatementParties> {
  const issuer = await findIssuerAt.first({ at: asOf })
  return {
    ours: issuer
      ? {
          legalName: issuer.legalName,
          bin: issuer.bin,
          address: issuer.address,
          signatory: issuer.signatory,
        }
      : null,
    partner: {
      legalName: legalName ?? partnerName,
      bin,
      signatory,
      contractNumber,
      contractDate,
    },
  }
}

const selectLast = statement<{ id: number | null }, { partnerId: number }>(
  'back_office_last_statement',
  'SELECT last_statement_id AS id FROM settlement_accounts WHERE partner_id = :partnerId'
)

/** Transitions that a statement allows. A later statement builds on it, so only the last one can be withdrawn. */
async function triggersOf({ id, partnerId, status }: SettlementStatement) {
  const triggers = Object.keys(STATEMENT_TRANSITIONS[status])
  const last = await selectLast.first({ partnerId })
  return last?.id === id ? triggers : triggers.filter((one) => one !== 'supersede')
}

export default class StatementsController {
  async show(ctx: HttpContext) {
    const found = await findStatement(idOf(ctx, 'statement'))
    const terms = readOnce(() => findTermsById.one({ termsId: found.termsId }))
    return ctx.inertia.render('settlement/statement', {
      ...mailingOf(found.partnerId),
      mails: () => readMails(found.id),
      statement: async () => issuedStatement(found, await terms()),
      parties: async () => partiesOf(found, await terms()),
      totals: totalsOf(found.totals),
      triggers: () => triggersOf(found),
      // Reads every line of the statement again.
      wrong: ctx.inertia.defer(() => verifyStatement(found)),
    } satisfies ServerProps<StatementPage>)
  }

  /** Asks for a run that closes the partner's oldest open period, if it is still the one on the form. */
  async store(ctx: HttpContext) {
    const partnerCode = String(ctx.params.code)
    const period = await ctx.request.validateUsing(periodValidator)
    const run = await new AskForRun().handle({
      kind: 'close_period',
      partnerCode,
      language: languageOf(ctx),
      actor: ctx.actor,
      params: { partnerCode, ...period },
    })
    return redirectToRun(ctx, run)
  }

  async update(ctx: HttpContext) {
    const { trigger, reason: note } = await ctx.request.validateUsing(statementActValidator)
    const statementId = idOf(ctx, 'statement')
    await new ChangeStatementStatus().handle({ statementId, trigger, note, actor: ctx.actor })
    return redirectWithNotice(ctx, 'settlement.status_changed')
  }
}
