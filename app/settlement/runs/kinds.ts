import type { RunBody } from '#settlement/runs/run_body'
import type { AnswersParams } from '#settlement/runs/kinds/answers'
import type { CheckFileParams } from '#settlement/runs/kinds/check_file'
import type { CheckPeriodParams } from '#settlement/runs/kinds/check_period'
import type { CompareRulesParams } from '#settlement/runs/kinds/compare_rules'
import type { ClosePeriodParams } from '#settlement/runs/kinds/close_period'
import type { RegisterRunParams } from '#settlement/runs/kinds/read_register'
import type { DefectListParams } from '#settlement/runs/kinds/defect_list'
import type { WorkbookParams } from '#settlement/runs/kinds/workbook'

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
  workbook: () => import('#settlement/runs/kinds/workbook'),
  close_period: () => import('#settlement/runs/kinds/close_period'),
  check_period: () => import('#settlement/runs/kinds/check_period'),
  check_file: () => import('#settlement/runs/kinds/check_file'),
  answers: () => import('#settlement/runs/kinds/answers'),
  read_register: () => import('#settlement/runs/kinds/read_register'),
  match_register: () => import('#settlement/runs/kinds/match_register'),
  defect_list: () => import('#settlement/runs/kinds/defect_list'),
  compare_rules: () => import('#settlement/runs/kinds/compare_rules'),
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
