import type { RunBody } from '#runs/run_body'
import type { AnswersParams } from '#worker/run_kinds/answers'
import type { CheckFileParams } from '#worker/run_kinds/check_file'
import type { CheckPeriodParams } from '#worker/run_kinds/check_period'
import type { CompareRulesParams } from '#worker/run_kinds/compare_rules'
import type { ClosePeriodParams } from '#worker/run_kinds/close_period'
import type { RegisterRunParams } from '#worker/run_kinds/read_register'
import type { DefectListParams } from '#worker/run_kinds/defect_list'
import type { WorkbookParams } from '#worker/run_kinds/workbook'

/** kind → what it is told. */
export interface RunParams {
  workbook: WorkbookParams
  close_period: ClosePeriodParams
  check_period: CheckPeriodParams
  check_file: CheckFileParams
  answers: AnswersParams
  read_register: RegisterRunParams
  match_register: RegisterRunParams
  defect_list: DefectListParams
  compare_rules: CompareRulesParams
}
export type RunKind = keyof RunParams

const KINDS: { [Kind in RunKind]: () => Promise<{ default: RunBody<RunParams[Kind]> }> } = {
  workbook: () => import('#worker/run_kinds/workbook'),
  close_period: () => import('#worker/run_kinds/close_period'),
  check_period: () => import('#worker/run_kinds/check_period'),
  check_file: () => import('#worker/run_kinds/check_file'),
  answers: () => import('#worker/run_kinds/answers'),
  read_register: () => import('#worker/run_kinds/read_register'),
  match_register: () => import('#worker/run_kinds/match_register'),
  defect_list: () => import('#worker/run_kinds/defect_list'),
  compare_rules: () => import('#worker/run_kinds/compare_rules'),
}
export const RUN_KINDS = Object.keys(KINDS) as RunKind[]

/** Kinds whose answer is given again while nothing has changed; all others do something, every time. */
export const ANSWERS: readonly RunKind[] = ['workbook', 'defect_list']

/** Null for a kind of another version of the product. */
export async function bodyOf(kind: string): Promise<RunBody<any> | null> {
  if (!Object.hasOwn(KINDS, kind)) return null
  const { default: body } = await KINDS[kind as RunKind]()
  return body
}
