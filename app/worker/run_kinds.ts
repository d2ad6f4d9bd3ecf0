import type { RunBody } from '#runs/run_body'
import type { RunKind } from '#runs/run_params'

type Bodies = { [Kind in RunKind]: () => Promise<{ default: RunBody<Kind> }> }

const KINDS: Bodies = {
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

/** What performs a kind of run; null for a kind of another version of the product. */
export async function bodyOf(kind: string): Promise<RunBody<any> | null> {
  if (!Object.hasOwn(KINDS, kind)) return null
  const { default: body } = await KINDS[kind as RunKind]()
  return body
}
