import { PLATFORM_OFFSET_MINUTES } from '#shared/days'
import { CoreCommand } from '#console/core_command'
import ExportSettlement from '#workbooks/writing/export_settlement'
import { findStatementByNumber } from '#ledger/queries/find_statement'
import { workbookFileName } from '#workbooks/writing/file_name'
import { LANGUAGES, type Language } from '#shared/languages'
import type { WorkbookProgress } from '#workbooks/writing/workbook_writer'
import type { ScopeInput } from '#workbooks/document/find_scope'
import { refuseField } from '#shared/refusals'
import { flags } from '@adonisjs/core/ace'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const NUMBER = /^(?:SET-)?0*(\d{1,9})$/i

interface ExportRequest {
  partnerCode: string
  scope: ScopeInput
  from: Date
  to: Date
  number: number | null
}

export default class SettlementExport extends CoreCommand {
  static commandName = 'settlement:export'
  static description = 'Write the settlement workbook of a statement, or a draft of a range of days'

  @flags.string({ description: 'Code of the partner, with --from and --to' })
  declare partner?: string

  @flags.string({ description: 'First day (UTC+5), e.g. 2026-11-01' })
  declare from?: string

  @flags.string({ description: 'The day after the last one (UTC+5), e.g. 2026-12-01' })
  declare to?: string

  @flags.string({ description: 'Number of an issued statement instead, e.g. SET-000001' })
  declare statement?: string

  @flags.string({ description: 'File to write, or the directory for it', required: true })
  declare out: string

  @flags.string({ description: `Language: ${LANGUAGES.join(', ')}`, default: 'ru' })
  declare lang: string

  @flags.boolean({ description: 'Also movements, orders and defects as CSV and JSON lines' })
  declare twins?: boolean

  protected async perform() {
    const language = LANGUAGES.find((known) => known === this.lang)
    if (!language) refuseField('lang', 'enum', `must be one of ${LANGUAGES.join(', ')}`)
    const request = await this.#readRequest()
    const path = await pathOf(this.out, request, language)
    const written = await new ExportSettlement()
      .handle({
        partnerCode: request.partnerCode,
        scope: request.scope,
        path,
        language,
        hasDataCopies: this.twins,
        onProgress: this.#progress(),
        actor: this.actor,
      })
      .catch(refuseFileError)
    const rows = Object.entries(written.rows).map(([sheet, count]) => `${sheet} ${count}`)
    this.logger.success(`${written.path} (${written.bytes} bytes)`)
    for (const copy of written.dataCopies) this.logger.success(`${copy.path} (${copy.rows} rows)`)
    this.logger.info(`rows: ${rows.join(', ')}`)
    this.logger.info(`balance: ${written.openingTenge} → ${written.closingTenge} tenge`)
    this.logger.info(`data sha256: ${written.fixedDataSha256}`)
  }

  async #readRequest(): Promise<ExportRequest> {
    if (!this.statement === !this.partner)
      refuseField('partner', 'either', 'Give either --statement or --partner with --from and --to')
    return this.statement ? ofStatement(this.statement) : this.#ofRange()
  }

  #ofRange(): ExportRequest {
    const [from, to] = [dayOf('from', this.from), dayOf('to', this.to)]
    return { partnerCode: this.partner!, scope: { from, to }, from, to, number: null }
  }

  /** A single line that is overwritten, and only in a terminal. */
  #progress() {
    const { stderr } = process
    if (!stderr.isTTY) return undefined
    return ({ sheet, rowsDone, rowsTotal }: WorkbookProgress) => {
      const percent = Math.floor((100 * rowsDone) / Math.max(rowsTotal, 1))
      stderr.write(`\r\u001B[K${percent}% ${sheet} ${rowsDone}/${rowsTotal}`)
      if (rowsDone === rowsTotal) stderr.write('\r\u001B[K')
    }
  }
}

async function ofStatement(text: string): Promise<ExportRequest> {
  const number = NUMBER.exec(text)?.[1]
  if (!number) refuseField('statement', 'format', 'must look like SET-000001')
  const { id, partnerCode, from, to } = await findStatementByNumber(Number(number))
  return { partnerCode, scope: { statementId: id }, from, to, number: Number(number) }
}

/** Midnight of a day in the venues' time zone. */
function dayOf(flag: 'from' | 'to', text: string | undefined): Date {
  const midnight = DAY.test(text ?? '') ? new Date(`${text}T00:00:00Z`) : null
  const isReal = midnight && !Number.isNaN(midnight.getTime())
  if (!isReal || !midnight.toISOString().startsWith(text!))
    refuseField(flag, 'date', 'must be a day such as 2026-11-01')
  return new Date(midnight.getTime() - PLATFORM_OFFSET_MINUTES * 60_000)
}

async function pathOf(
  out: string,
  { partnerCode, number, from, to }: ExportRequest,
  language: Language
) {
  const found = await stat(out).catch(() => null)
  const isDirectory = found?.isDirectory() ?? false
  await access(isDirectory ? out : dirname(out), constants.W_OK).catch(refuseFileError)
  if (!isDirectory) return out
  return (readAt: Date) =>
    join(out, workbookFileName({ partnerCode, number, from, to, language, readAt }))
}

/** Reports an error of the file system like any other refusal. */
function refuseFileError(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error
  refuseField('out', 'file', error.message)
}
