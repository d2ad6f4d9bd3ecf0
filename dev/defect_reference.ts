import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { DefectReference } from '#finance/cases/cases_props'
import { DEFECT_CODES, type DefectKind } from '#defects/rules/defect_codes'
import { FIRST_THRESHOLDS, SHARES } from '#defects/rules/thresholds'
import { root } from './paths.ts'

/** The reference for accountants: prose by hand, and between markers what is made of code and of the pages' texts. */
export const DEFECT_REFERENCE = 'docs/settlement-defects.md'

type Names = Record<string, string>
interface CaseTexts {
  defect_codes: Names
  severities: Names
  partner_codes: Names
  partner_explained: Names
  partner_hints: Names
}

const KINDS = Object.entries<DefectKind>(DEFECT_CODES)
const WHOSE = { BUYER: 'Buyer', PLATFORM: 'Platform', PARTNER: 'Partner' } as const
const MARKED = /(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g
/** Names of the API, codes and ids. */
const LITERAL = /\b(?:paid_at|[A-Z]+(?:_[A-Z]+)+|pay-\d+|TIX-[\d-]+)\b/g

const literal = (text: string) => text.replace(LITERAL, '`$&`')
const link = (code: string) => `[\`${code}\`](#${code.toLowerCase()})`
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`

async function readJson<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(join(root, 'resources/lang/en', `${name}.json`), 'utf8'))
}

const severitiesOf = ({ severities }: DefectKind, names: Names) =>
  severities.map((severity) => names[severity]).join(', ')
const partiesOf = ({ parties }: DefectKind) =>
  parties.length === 0 ? 'nobody’s' : parties.map((party) => WHOSE[party]).join(' or ')

const codeTable = ({ defect_codes: names, severities }: CaseTexts) =>
  table(
    ['Code', 'Name', 'Severity', 'Whose money'],
    KINDS.map(([code, kind]) => [
      link(code),
      names[code],
      severitiesOf(kind, severities),
      partiesOf(kind),
    ])
  )

const rulesOf = (section: string, references: Record<string, DefectReference>, texts: CaseTexts) =>
  KINDS.filter(([, kind]) => kind.section === section)
    .map(([code, kind]) => ruleText(code, kind, references[code], texts))
    .join('\n\n')

function ruleText(code: string, kind: DefectKind, reference: DefectReference, texts: CaseTexts) {
  const { when, severity, example, outcome, action, partner_answer: answer } = reference
  return [
    `### ${code}`,
    `**${texts.defect_codes[code]}.** ${literal(when)}`,
    table(
      ['Time', 'Example'],
      example.map((step) => [step.at, literal(step.text)])
    ),
    literal(outcome),
    [
      `- **Severity:** ${severity ?? `${severitiesOf(kind, texts.severities)}.`}`,
      `- **Whose money:** ${partiesOf(kind)}.`,
      `- **Finance:** ${literal(action)}`,
      `- **The partner answers:** ${literal(answer)}`,
    ].join('\n'),
  ].join('\n\n')
}

/** Limits are those of the first version of the rules. */
const partnerTable = ({ partner_explained: explained, partner_hints: hints }: CaseTexts) =>
  table(
    ['Code', 'Figure', 'Unusual above', 'Too high above', 'What the partner does'],
    [
      ...SHARES.map((code) => {
        const { least, most } = FIRST_THRESHOLDS.shares[code]
        return [code, explained[code], least === most ? '–' : percent(least), percent(most)]
      }),
      ...[
        ['CLOCK_SKEW', FIRST_THRESHOLDS.clockSkewMs] as const,
        ['CLOCK_JITTER', FIRST_THRESHOLDS.clockJitterMs] as const,
      ].map(([code, mostMs]) => [code, explained[code], '–', `${mostMs / 1_000} s`]),
    ].map(([code, ...cells]) => [`\`${code}\``, ...cells, hints[code]])
  )

/** The page with its marked parts made again, as Prettier writes it. Throws where a code has no text. */
export async function renderDefectReference(page: string): Promise<string> {
  const texts = await readJson<CaseTexts>('cases')
  const references = await readJson<Record<string, DefectReference>>('defect_reference')
  const generated = page.replace(MARKED, (_, start: string, name: string, end: string) => {
    const part =
      name === 'codes'
        ? codeTable(texts)
        : name === 'partner_figures'
          ? partnerTable(texts)
          : rulesOf(name, references, texts)
    return `${start}\n${part}\n\n${end}`
  })
  const path = join(root, DEFECT_REFERENCE)
  return format(generated, { ...(await resolveConfig(path)), filepath: path })
}

export async function writeDefectReference() {
  const path = join(root, DEFECT_REFERENCE)
  await writeFile(path, await renderDefectReference(await readFile(path, 'utf8')))
}
