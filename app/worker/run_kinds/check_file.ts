import type { RunBody } from '#runs/run_body'
import { uploadPath } from '#runs/uploads'
import { checkWorkbook } from '#returned_workbooks/check/check_workbook'

/** Compares a workbook that was sent back with what we would write now. */
const checkFile: RunBody<'check_file'> = async (params, context) => {
  const { signal } = context
  const path = await uploadPath(params)
  const checked = await checkWorkbook(path, {
    signal,
    onProgress: ({ phase, rowsDone }) => context.progress({ phase, rowsDone, rowsTotal: 0 }),
  })
  return { result: { ...checked }, files: [], hasCommitted: false }
}
export default checkFile
