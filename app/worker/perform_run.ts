import { performRun } from '#runs/perform_run/perform_run'
import { bodyOf } from '#worker/run_kinds'

/** Performs one run; when `stopping` aborts, puts it back for another worker. */
export default function performOne({ id }: { id: number }, stopping?: AbortSignal): Promise<void> {
  return performRun(id, bodyOf, stopping)
}
