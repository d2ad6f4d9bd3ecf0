import type { Mutant } from '../../dev/mutation/mutant.ts'

const readKind = ['tests/unit/reconciliation/read_kind.spec.ts']
const readId = ['tests/unit/reconciliation/read_id.spec.ts']
const findHeader = ['tests/unit/reconciliation/find_header.spec.ts']

export default [
  {
    name: '«Отказ, возврат денег» denies the refund',
    file: 'app/register_reading/read_kind.ts',
    find: '.split(/[,;.–—-]/)',
    replace: '.split(/;/)',
    specs: readKind,
  },
  {
    name: 'a refund that came back is a refund',
    file: 'app/register_reading/read_kind.ts',
    find: "sense === 'returned' && senses[i - 1] === 'refund'",
    replace: 'false',
    specs: readKind,
  },
  {
    name: 'a word that is not known changes nothing',
    file: 'app/register_reading/read_kind.ts',
    find: 'senses.every((sense) => allowed.includes(sense))',
    replace: 'senses.every((sense) => sense === null || allowed.includes(sense))',
    specs: readKind,
  },
  {
    name: 'an order whose return was denied is not paid where rows show states',
    file: 'app/register_reading/read_kind.ts',
    find: "operations: 'declined', states: 'sale' }",
    replace: "operations: 'declined', states: 'declined' }",
    specs: readKind,
  },
  {
    name: 'hyphens of any number are repaired',
    file: 'app/register_reading/read_id.ts',
    find: "id.replace(HYPHENS, '$1-$2-$3')",
    replace: "id.replaceAll('-', '')",
    specs: readId,
  },
  {
    name: 'an order number without hyphens is not repaired',
    file: 'app/register_reading/read_id.ts',
    find: "id.replace(HYPHENS, '$1-$2-$3')",
    replace: 'id',
    specs: readId,
  },
  {
    name: 'a new column is left out next to a remembered mapping',
    file: 'app/register_reading/propose_mapping.ts',
    find: 'newColumns.includes(column) ||',
    replace: '',
    specs: findHeader,
  },
  {
    name: 'a column that a person has left out is proposed again',
    file: 'app/register_reading/propose_mapping.ts',
    find: 'newColumns.includes(column) ||',
    replace: 'true ||',
    specs: findHeader,
  },
  {
    name: 'a fee rule holds for all sources of the partner',
    file: 'app/reconciliation/store/kept_fee_rules.ts',
    find: 'FROM register_sources WHERE id = :sourceId',
    replace: `FROM register_sources WHERE partner_id = (SELECT partner_id FROM register_sources WHERE id = :sourceId) ORDER BY jsonb_array_length(fee_rules) DESC LIMIT 1`,
    specs: ['tests/functional/reconciliation/what_registers_show.spec.ts'],
  },
  {
    name: 'a register agrees although one of its parts differs',
    file: 'app/register_reading/control_of_parts.ts',
    find: "  if (parts.includes('DIFFERS')) return 'DIFFERS'\n",
    replace: '',
    specs: [
      'tests/unit/reconciliation/several_parts.spec.ts',
      'tests/functional/reconciliation/several_parts.spec.ts',
    ],
  },
  {
    name: 'a header that stands twice leads remembered columns',
    file: 'app/register_reading/remembered_mapping.ts',
    find: 'if (found.length === 1)',
    replace: 'if (found.length >= 1)',
    specs: [
      'tests/unit/reconciliation/find_header.spec.ts',
      'tests/functional/reconciliation/column_mapping.spec.ts',
      'tests/functional/reconciliation/register_sources.spec.ts',
    ],
  },
  {
    name: 'a column of dollars is that of tenge',
    file: 'app/register_reading/part_columns.ts',
    find: "(namesOtherCurrency(header) ? ' other currency' : '')",
    replace: "(namesOtherCurrency(header) ? '' : '')",
    specs: [
      'tests/unit/reconciliation/several_parts.spec.ts',
      'tests/functional/reconciliation/several_parts.spec.ts',
      'tests/functional/reconciliation/register_sources.spec.ts',
    ],
  },
] satisfies Mutant[]
