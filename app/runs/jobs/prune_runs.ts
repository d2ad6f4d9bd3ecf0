import { pruneRunFiles } from '#runs/run_files'

/** Throws away the files of runs whose time is over. */
export default async function pruneRuns(): Promise<void> {
  await pruneRunFiles()
}
