import { performRun } from '#runs/perform_run'

/** Does one run; told to stop, it hands it back for another worker. */
export default function performOne({ id }: { id: number }, stopping?: AbortSignal): Promise<void> {
  return performRun(id, stopping)
}
