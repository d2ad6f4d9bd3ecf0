import type { RunBody } from '#runs/run_body'
import { uploadPath, type Upload } from '#runs/uploads'
import { checkWorkbook } from '#workbooks/check/check_workbook'

export type CheckFileParams = Upload

/** Whether a workbook that comes back says what we say now. */
const checkFile: RunBody<CheckFileParams> = async (params, context) => {
  const { signal } = context
  const path = await uploadPath(params)
  const checked = await checkWorkbook(path, {
    signal,
    onProgress: ({ phase, rowsDone }) => context.progress({ phase, rowsDone, rowsTotal: 0 }),
  })
  return { result: { ...checked }, files: [] }
}
export default checkFile
