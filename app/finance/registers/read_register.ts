import type {
  CategoryFigures,
  FeeLine,
  PartLine,
  RegisterControl,
  RegisterHead,
  SampleRow,
  Obstacles,
  SourceSetup,
  SuggestionCounts,
} from '#finance/registers/registers_props'
import type { ColumnMapping, TableShape } from '#register_reading/register_table'
import { REGISTER_FIELDS, type RegisterField } from '#register_reading/header_words'
import { RegisterParser } from '#register_reading/parse_register'
import type { ParsedRow } from '#register_reading/parse_row'
import {
  NO_EQUAL_SALES,
  SetupEvidence,
  type ReadWord,
  type SetupProposal,
} from '#register_reading/propose_setup'
import { proposalsOf } from '#reconciliation/store/propose_source_setup'
import type { RowReading } from '#register_reading/row_reading'
import { cellText } from '#spreadsheets/cell_text'
import type { MatchCategory } from '#reconciliation/matching/match_case'
import type { RawRow } from '#spreadsheets/read_table'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { readProblems } from '#reconciliation/store/confirmation_problems'
import {
  leftOutSheetsOf,
  partsOf,
  undecidedSheetsOf,
  type RegisterPart,
  type SheetOfFile,
} from '#reconciliation/store/register_parts'
import { namesRefunds } from '#register_reading/read_kind'
import { onlyPart, type RowsAre } from '#register_reading/register_part'
import type { RegisterSource } from '#reconciliation/store/register_source'
import { statementNumber } from '#ledger/statement_status'
import { daysOf, findOverlapping, lostDays, shownRegister } from '#reconciliation/store/taken_days'
import { rawRowsOf } from '#reconciliation/store/register_preview'
import { DAY_MS, midnightOf } from '#shared/days'
import { statement } from '#shared/statement'

/** Tenge as a number: a page's sums are far below the largest exact number. */
const numberOf = (tenge: string | null) => (tenge === null ? null : Number(tenge))

const selectClosedBy = statement<
  { id: number; number: number },
  { partnerId: number; from: Date; to: Date }
>(
  'back_office_register_closed_by',
  `SELECT id, number FROM settlement_statements
    WHERE partner_id = :partnerId AND status <> 'superseded' AND period_from < :to AND period_to > :from
    ORDER BY number`
)

/** A register as all its pages show it. */
export async function readHead(register: PartnerRegister): Promise<RegisterHead> {
  const { declaredTenge, control, totals } = register
  const days = daysOf(register, register.dayShiftMinutes)
  const { partnerId, from, to } = register
  const [parts, undecided, leftOut, closedBy] = await Promise.all([
    partsOf(register),
    undecidedSheetsOf(register),
    leftOutSheetsOf(register.id),
    selectClosedBy({ partnerId, from, to }),
  ])
  return {
    id: register.id,
    state: register.state,
    version: register.version,
    partner: register.partnerCode,
    partnerName: register.partnerName,
    sourceId: register.sourceId,
    sourceName: register.sourceName,
    from: midnightOf(days.from).toISOString(),
    to: new Date(midnightOf(days.to).getTime() + DAY_MS).toISOString(),
    closedBy: closedBy.map(({ id, number }) => ({ id, number: statementNumber(number) })),
    dayShiftMinutes: register.dayShiftMinutes,
    fileName: register.fileName,
    bytes: register.bytes,
    sha256: register.sha256,
    format: register.format,
    encoding: register.encoding,
    sheet: register.sheet,
    sheets: register.sheets,
    uploadedAt: register.uploadedAt.toISOString(),
    uploadedBy: register.uploadedBy,
    decidedAt: register.decidedAt?.toISOString() ?? null,
    decidedBy: register.decidedBy,
    waivedBecause: register.waiver?.reason ?? null,
    declaredRows: register.declaredRows,
    problem: register.problem,
    declaredTenge: declaredTenge === null ? null : Number(declaredTenge),
    feeRules: register.feeRules.map(feeLineOf),
    parts: parts.map((part) => partLineOf(part, control)),
    undecidedSheets: undecided.map((one) => ({ ...one, rowsAre: rowsSeemToBe(one, register) })),
    leftOutSheets: leftOut.map((one) => ({
      ...one,
      file: parts.find(({ sha256 }) => sha256 === one.sha256)!.fileName,
    })),
    control: control && controlOf(control),
    totals: totals && totalsOf(totals),
  }
}

function partLineOf(part: RegisterPart, control: PartnerRegister['control']): PartLine {
  const { number, fileName, sheet, firstLine, rowsAre, addedBy } = part
  const read = control?.parts?.find((one) => one.number === number)?.control
  return {
    number,
    fileName,
    sheet,
    firstLine,
    rowsAre,
    addedBy,
    control: read
      ? {
          rowsIn: read.rowsIn,
          sumTenge: Number(read.sumTenge),
          count: read.count,
          sum: read.sum,
          declared: {
            count: read.declared.count,
            sumTenge: numberOf(read.declared.sumTenge),
          },
        }
      : null,
  }
}

/** Where no column has the kind of operation, the name of a sheet may have it. */
function rowsSeemToBe({ sheet }: SheetOfFile, { mapping, preview }: PartnerRegister): RowsAre {
  const { kind } = mapping ?? preview.proposal.mapping
  return kind === undefined && namesRefunds(sheet) ? 'refunds' : 'as_stated'
}

/** Registers that were confirmed before rules were accepted one by one have no `isKept`: all their rules were applied. */
function feeLineOf(rule: PartnerRegister['feeRules'][number]): FeeLine {
  const isKept = (rule as Partial<typeof rule>).isKept ?? true
  return rule.kind === 'sum' ? { ...rule, isKept, tenge: Number(rule.tenge) } : { ...rule, isKept }
}

function controlOf(control: NonNullable<PartnerRegister['control']>): RegisterControl {
  return {
    rowsIn: control.rowsIn,
    parsed: control.parsed,
    unparseable: control.unparseable,
    count: control.count,
    sum: control.sum,
    sumAgreesWith: control.sumAgreesWith,
    skipped: control.skipped,
    skippedTexts: control.skippedTexts ?? [],
    lines: control.lines,
    sumTenge: Number(control.sumTenge),
    salesTenge: Number(control.salesTenge),
    refundsTenge: Number(control.refundsTenge),
    notPaidTenge: Number(control.notPaidTenge),
    // Registers that were read before rows could show states have no such sums.
    returnedTenge: Number(control.returnedTenge ?? 0),
    feesAddedTenge: Number(control.feesAddedTenge ?? 0),
    declared: {
      count: control.declared.count,
      sumTenge: numberOf(control.declared.sumTenge),
    },
  }
}

/** Categories with cases, in the order in which they are stored. */
function totalsOf(totals: NonNullable<PartnerRegister['totals']>): CategoryFigures[] {
  const categories = Object.keys(totals) as MatchCategory[]
  return categories
    .filter((category) => totals[category].cases > 0)
    .map((category) => {
      const { cases, rows, orders, rowsTenge, ordersTenge } = totals[category]
      return {
        category,
        cases,
        rows,
        orders,
        rowsTenge: Number(rowsTenge),
        ordersTenge: Number(ordersTenge),
      }
    })
}

export const setupOf = ({ partnerId: _partnerId, ...setup }: RegisterSource): SourceSetup => setup

/** What stands in the way of confirming a matched register; null for one in another state. */
export async function readObstacles(register: PartnerRegister): Promise<Obstacles | null> {
  if (register.state !== 'matched') return null
  const [problems, overlapping] = await Promise.all([
    readProblems(register),
    findOverlapping(register),
  ])
  return {
    ...problems,
    overlapping: overlapping.map((one) => ({
      ...shownRegister(one),
      lost: lostDays(register, one),
    })),
  }
}

/** Reads a mapping such as `amount.3,paymentId.1` from the address; fields that are missing there have no column. */
export function readMapping(text: string | null): ColumnMapping | null {
  if (text === null) return null
  const pairs = text.split(',').flatMap((part): [RegisterField, number][] => {
    const [, field, column] = /^(\w+)\.(\d{1,3})$/.exec(part) ?? []
    const known = REGISTER_FIELDS.find((one) => one === field)
    return known ? [[known, Number(column)]] : []
  })
  return Object.fromEntries(pairs)
}

/** The first rows as they stand in the file, the problems that a mapping finds in them, and what they suggest about the source and its words. */
export async function readSample(
  { preview, partnerId }: PartnerRegister,
  mapping: ColumnMapping,
  reading: RowReading
): Promise<{ sample: SampleRow[]; proposals: SetupProposal[]; words: ReadWord[] }> {
  const { headerLine, headers, width } = preview
  const rows = rawRowsOf(preview)
  const parsed = parsedSample(rows, { headerLine, headers, mapping, reading })
  const evidence = new SetupEvidence(mapping, headers, reading)
  evidence.add([...parsed.values()])
  return {
    // What the file lacks is not seen by its first rows.
    proposals: await proposalsOf(evidence, { partnerId, equalSales: NO_EQUAL_SALES }),
    words: evidence.words(),
    sample: rows.map((row) => ({
      line: row.line,
      isPayment: parsed.has(row.line),
      cells: Array.from({ length: width }, (_, column) => cellText(row.cells[column])),
      problems: (parsed.get(row.line)?.problems ?? []).map(({ field, code, found }) => ({
        code,
        found,
        field,
        column: field === null ? null : (mapping[field] ?? null),
      })),
    })),
  }
}

/** The payments among the rows, by their lines, as the reading of a file finds them; totals and signatures need not be readable. */
function parsedSample(rows: RawRow[], shape: TableShape): Map<number, ParsedRow> {
  if (shape.mapping.amount === undefined) return new Map()
  const parser = new RegisterParser(shape)
  parser.startPart(onlyPart(shape.headerLine))
  for (const row of rows) parser.add(row)
  return new Map(parser.finish().rows.map((row) => [row.line, row]))
}

const countSuggestions = statement<SuggestionCounts, { registerId: number }>(
  'back_office_register_suggestions',
  `SELECT count(*) FILTER (WHERE decision IS NULL)::integer AS undecided,
          count(*) FILTER (WHERE decision = 'rejected')::integer AS rejected
     FROM partner_register_cases WHERE register_id = :registerId AND is_suggested`
)
export const readSuggestions = (registerId: number) => countSuggestions.one({ registerId })
