import type { RunBody } from '#runs/run_body'
import { workbookFileName } from '#workbooks/writing/file_name'
import { writeDefectList } from '#workbooks/writing/write_defect_list'
import { join } from 'node:path'

/** Writes a workbook of a partner's defects and the confirms that prove them, without settlement sheets. */
const defectList: RunBody<'defect_list'> = async ({ partnerCode, ...days }, context) => {
  const { language, signal, throttle, directory } = context
  const [from, to] = [new Date(days.from), new Date(days.to)]
  const readAt = new Date()
  const whole = workbookFileName({ partnerCode, number: null, from, to, language, readAt })
  const name = whole.replace(/^SETTLE_/, 'DEFECTS_').replace('_DRAFT_', '_')
  const { rows, openCases } = await writeDefectList({
    partnerCode,
    scope: { from, to },
    path: join(directory, name),
    language,
    signal,
    throttle,
    onProgress: ({ sheet: phase, ...done }) => context.progress({ phase, ...done }),
  })
  return { result: { rows, openCases }, files: [{ name }], hasCommitted: false }
}
export default defectList
