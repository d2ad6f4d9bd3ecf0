import type { Mutant } from '../../dev/mutation/mutant.ts'

const dataCopies = ['tests/unit/spreadsheets/data_copies.spec.ts']
const readWorkbook = ['tests/unit/spreadsheets/read_workbook.spec.ts']
const cellText = 'app/spreadsheets/writing/cell_text.ts'

export default [
  {
    name: 'an id of the CSV copy is not guarded',
    file: 'app/spreadsheets/csv_copy.ts',
    find: 'return inQuotes(safeText(textOf(value)))',
    replace: 'return inQuotes(textOf(value))',
    specs: dataCopies,
  },
  {
    name: 'an id that begins with a minus is not guarded',
    file: cellText,
    find: '/^(?!-)[A-Za-z0-9',
    replace: '/^[A-Za-z0-9',
    specs: dataCopies,
  },
  ...['=', '+', '\\-', '@'].map((letter) => ({
    name: `text that begins with ${letter.at(-1)} is not guarded`,
    file: cellText,
    find: '/^[=+\\-@\\t\\n',
    replace: `/^[${'=+\\-@\\t\\n'.replace(letter, '')}`,
    specs: dataCopies,
  })),
  {
    name: '29 February 1900 exists',
    file: 'app/spreadsheets/reading/cell_value.ts',
    find: 'day < 60 ?',
    replace: 'day <= 60 ?',
    specs: readWorkbook,
  },
  {
    name: '28 February 1900 is a day early',
    file: 'app/spreadsheets/reading/cell_value.ts',
    find: 'day < 60 ?',
    replace: 'day < 59 ?',
    specs: readWorkbook,
  },
  {
    name: 'times in built-in formats 45 to 47 are numbers',
    file: 'app/spreadsheets/reading/date_styles.ts',
    find: '  [45, 47],\n',
    replace: '',
    specs: readWorkbook,
  },
  {
    name: 'a time in the built-in format 47 is a number',
    file: 'app/spreadsheets/reading/date_styles.ts',
    find: '[45, 47]',
    replace: '[45, 46]',
    specs: readWorkbook,
  },
  {
    name: 'the month is first by default',
    file: 'app/spreadsheets/read_moment.ts',
    find: "{ isDayFirst: true, basis: 'assumed'",
    replace: "{ isDayFirst: false, basis: 'assumed'",
    specs: ['tests/unit/spreadsheets/read_moment.spec.ts'],
  },
  {
    name: 'day 12 decides the order',
    file: 'app/spreadsheets/read_moment.ts',
    find: 'this.#dayFirst ||= written.first > 12',
    replace: 'this.#dayFirst ||= written.first > 11',
    specs: ['tests/unit/spreadsheets/read_moment.spec.ts'],
  },
  {
    name: 'letters of column 26 are wrong',
    file: 'app/spreadsheets/cells.ts',
    find: 'Math.floor((column - 1) / 26)',
    replace: 'Math.floor(column / 26)',
    specs: ['tests/unit/spreadsheets/cells.spec.ts'],
  },
  {
    name: 'a comma is taken as the delimiter first',
    file: 'app/shared/csv_delimiter.ts',
    find: "[';', '\\t', '|', ',']",
    replace: "[',', ';', '\\t', '|']",
    specs: ['tests/unit/spreadsheets/read_csv.spec.ts'],
  },
] satisfies Mutant[]
