import { performRun } from '#runs/perform_run/perform_run'
import { bodyOf } from '#worker/run_kinds'

/** Does one run; told to stop, it hands it back for another worker. */
export default function performOne({ id }: { id: number }, stopping?: AbortSignal): Promise<void> {
  return performRun(id, bodyOf, stopping)
}
