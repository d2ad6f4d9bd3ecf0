import type { RunBody } from '#runs/run_body'
import { workbookFileName } from '#workbooks/writing/file_name'
import { writeDefectList } from '#workbooks/writing/write_defect_list'
import { basename, join } from 'node:path'

/** Writes a workbook of a partner's defects and the confirms that prove them, without settlement sheets. */
const defectList: RunBody<'defect_list'> = async ({ partnerCode, ...days }, context) => {
  const { language, signal, throttle, directory } = context
  const [from, to] = [new Date(days.from), new Date(days.to)]
  const nameAt = (readAt: Date) =>
    workbookFileName({ partnerCode, number: null, from, to, language, readAt })
      .replace(/^SETTLE_/, 'DEFECTS_')
      .replace('_DRAFT_', '_')
  const { path, readAt, rows, openCases } = await writeDefectList({
    partnerCode,
    scope: { from, to },
    path: (moment) => join(directory, nameAt(moment)),
    language,
    signal,
    throttle,
    onProgress: ({ sheet: phase, ...done }) => context.progress({ phase, ...done }),
  })
  const result = { rows, openCases, readAt: readAt.toISOString() }
  return { result, files: [{ name: basename(path) }], hasCommitted: false }
}
export default defectList
