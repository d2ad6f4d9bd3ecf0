import { DAY_MS, HOUR_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { storageDirectory } from '#shared/storage'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where an attempt at a run leaves its files. */
export async function runDirectory(id: number, claim: string): Promise<string> {
  return join(await storageDirectory('runs'), `${id}-${claim}`)
}

const HAS_FILES = `EXISTS (SELECT 1 FROM settlement_run_files f WHERE f.run_id = r.id)`

// What was only read of an upload can be taken as long as the upload lies there.
const expire = statement(
  'settlement_runs_expire',
  `UPDATE settlement_runs r SET state = 'expired'
    WHERE state = 'succeeded' AND kept_until <= clock_timestamp()
      AND (${HAS_FILES} OR params ->> 'isDryRun' = 'true')`
)
const selectKept = statement<{ id: number; claim: string }, { id: number[] }>(
  'settlement_runs_kept',
  `SELECT id, claim FROM settlement_runs r
    WHERE (state = 'running' OR state = 'succeeded' AND ${HAS_FILES}) AND id = ANY (:id::int[])`
)

const selectRegisters = statement<{ id: number; sha256: string }, { id: number[] }>(
  'settlement_registers_kept',
  `SELECT id, sha256 FROM partner_registers WHERE state <> 'dropped' AND id = ANY (:id::int[])`
)

/** An attempt that has just begun makes its directory after its claim, never before; a margin for what is being looked at. */
const YOUNG_MS = HOUR_MS

/** Throws away files whose time is over, and what was left by attempts that died. */
export async function pruneRunFiles(): Promise<number> {
  await expire({})
  const directories = await pruneDirectories()
  return directories + (await pruneUploads()) + (await pruneRegisters())
}

/** As long as the files of a run: an upload may be read once more to be taken. */
const UPLOADED_MS = 30 * DAY_MS

const pruneUploads = async () =>
  pruneFiles(await storageDirectory('uploads'), UPLOADED_MS, () => true)

/** Of registers that were dropped, and whose upload broke off before anybody could take them in. */
async function pruneRegisters() {
  const root = await storageDirectory('registers')
  const found = await readdir(root)
  const ids = found.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger)
  const kept = await selectRegisters({ id: [...new Set(ids)] })
  const names = new Set(kept.map(({ id, sha256 }) => `${id}-${sha256}`))
  return pruneFiles(root, YOUNG_MS, (name) => !names.has(name))
}

async function pruneFiles(root: string, keptMs: number, isMeant: (name: string) => boolean) {
  let removed = 0
  for (const name of await readdir(root)) {
    if (!isMeant(name) || (await isYounger(join(root, name), keptMs))) continue
    await rm(join(root, name), { force: true })
    removed++
  }
  return removed
}

async function pruneDirectories(): Promise<number> {
  const root = await storageDirectory('runs')
  const found = await readdir(root)
  const ids = found.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger)
  const kept = await selectKept({ id: [...new Set(ids)] })
  const names = new Set(kept.map(({ id, claim }) => `${id}-${claim}`))
  let removed = 0
  for (const name of found) {
    if (names.has(name) || (await isYounger(join(root, name), YOUNG_MS))) continue
    await rm(join(root, name), { recursive: true, force: true })
    removed++
  }
  return removed
}

/** What is gone meanwhile was taken by somebody: as good as young. */
async function isYounger(path: string, ms: number) {
  const found = await stat(path).catch(() => null)
  return found === null || Date.now() - found.mtimeMs < ms
}
