import type { Agreement, ControlFigures, ControlReport } from '#register_reading/control_figures'
import type { DeclaredTotals } from '#register_reading/declared_totals'

/** What was read of a part, and what is declared of it. */
export interface PartFigures {
  number: number
  firstLine: number
  lastLine: number
  figures: ControlFigures
  inFooter: DeclaredTotals
  /** What a person has typed about this part. */
  typed: Partial<DeclaredTotals>
}

/**
 * Control totals of each part and of the whole register. A footer that differs from its part and equals the whole is the total of
 * the register. Without a total of its own the whole agrees when all parts do.
 *
 * Example, of two parts of 24,000 and 12,000:
 *   footers 24,000 and 12,000   each agrees, so the register does
 *   footers 24,000 and 36,000   the second is the total of the register, which agrees
 *   footers 24,000 and 12,000   of sales and of refunds: each agrees, as a sheet of refunds may total them without a minus
 *   footers 24,000 and 13,000   the second part differs, and so does the register
 *   footer 24,000 and none      of the whole nothing is declared
 */
export function reportControl(
  whole: ControlFigures,
  parts: readonly PartFigures[],
  typed: Partial<DeclaredTotals>
) {
  const declared: DeclaredTotals = { count: typed.count ?? null, sumTenge: typed.sumTenge ?? null }
  const reports = parts.map(({ number, firstLine, lastLine, figures, inFooter, typed: ofPart }) => {
    const own = {
      count: ofPart.count ?? inFooter.count,
      sumTenge: ofPart.sumTenge ?? inFooter.sumTenge,
    }
    const [asPart, asWhole] = [figures.report(own), whole.report(own)]
    if (asPart.count === 'DIFFERS' && asWhole.count === 'AGREES') {
      declared.count ??= own.count
      own.count = null
    }
    if (asPart.sum === 'DIFFERS' && asWhole.sum === 'AGREES') {
      declared.sumTenge ??= own.sumTenge
      own.sumTenge = null
    }
    return { number, firstLine, lastLine, control: figures.report(own) }
  })
  if (reports.length === 1) {
    const [{ control }] = reports
    declared.count ??= control.declared.count
    declared.sumTenge ??= control.declared.sumTenge
  }
  const control = whole.report(declared)
  if (declared.count === null) control.count = jointly(reports.map((one) => one.control.count))
  if (declared.sumTenge === null) control.sum = jointly(reports.map((one) => one.control.sum))
  return { control, parts: reports } satisfies { control: ControlReport; parts: object[] }
}

function jointly(parts: readonly Agreement[]): Agreement {
  if (parts.includes('DIFFERS')) return 'DIFFERS'
  return parts.every((one) => one === 'AGREES') ? 'AGREES' : 'NOT_DECLARED'
}
