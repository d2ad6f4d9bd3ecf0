import { Readable, pipeline } from 'node:stream'
import { CsvError, parse, type Info } from 'csv-parse'
import { findDelimiter } from '#shared/csv_delimiter'
import { encodingOf, textPieces, withLineFeeds } from '#spreadsheets/reading/text_pieces'
import type { RawRow, TableLimits, TableSource } from '#spreadsheets/table_source'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

const LETTERS_TO_LOOK_AT = 64 * 1024

/** Opens a CSV file; encoding and delimiter are detected from its content. */
export async function readCsv(path: string, limits: TableLimits): Promise<TableSource> {
  const encoding = await encodingOf(path)
  const { delimiter, skip } = findDelimiter(await beginning(textPieces(path, encoding)))
  const text = withLineFeeds(withoutFirst(textPieces(path, encoding), skip))
  const linesSkipped = skip > 0 ? 1 : 0
  const rows = csvRows(text, delimiter, linesSkipped, limits)
  return { format: 'csv', sheet: null, encoding, rows }
}

async function* csvRows(
  text: AsyncIterable<string>,
  delimiter: string,
  linesSkipped: number,
  limits: TableLimits
): AsyncGenerator<RawRow> {
  const parser = parse({
    delimiter,
    info: true,
    relax_quotes: true,
    relax_column_count: true,
    record_delimiter: '\n',
    max_record_size: limits.columns * (limits.cellLetters + 1),
    cast: (cell, { index, lines }) => checked(cell, index, lines + linesSkipped, limits),
  })
  pipeline(Readable.from(text), parser, () => {})
  let lastLine = linesSkipped
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      const line = lastLine + 1
      lastLine = info.lines + linesSkipped
      const cells = withoutEmptyEnd(record)
      if (cells.length > 0) yield { line, cells }
    }
  } catch (error) {
    throw problemOf(error)
  }
}

interface Parsed {
  info: Info
  record: string[]
}

function checked(cell: string, index: number, line: number, limits: TableLimits) {
  if (cell.length > limits.cellLetters) {
    throw new UnreadableTable('cell_too_long', { line, column: index + 1 })
  }
  if (cell !== '' && index >= limits.columns) {
    throw new UnreadableTable('too_many_columns', { line, column: index + 1 })
  }
  return cell
}

function withoutEmptyEnd(record: string[]) {
  const last = record.findLastIndex((cell) => cell !== '')
  return record.slice(0, last + 1).map((cell) => (cell === '' ? null : cell))
}

function problemOf(error: unknown) {
  if (!(error instanceof CsvError)) return error
  const isTooLong = error.code === 'CSV_MAX_RECORD_SIZE'
  return new UnreadableTable(isTooLong ? 'cell_too_long' : 'broken_text')
}

async function beginning(pieces: AsyncIterable<string>) {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length >= LETTERS_TO_LOOK_AT) break
  }
  return text
}

async function* withoutFirst(pieces: AsyncIterable<string>, count: number) {
  let left = count
  for await (const piece of pieces) {
    yield piece.slice(left)
    left = Math.max(0, left - piece.length)
  }
}
