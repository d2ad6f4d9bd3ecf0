import platform from '#config/platform'
import { DAY_MS, HOUR_MS } from '#shared/days'
import { isRestoreOpen } from '#shared/selling_mark'
import { statement } from '#shared/statement'
import { storageDirectory } from '#shared/storage'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const HAS_FILES = `EXISTS (SELECT 1 FROM settlement_run_files f WHERE f.run_id = r.id)`

// A dry run expires too: it can be applied only while its upload is kept.
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

// Of runs that are not over, and of dry runs that can still be applied: these expire RUN_RETENTION_DAYS after their end, not after the upload.
const selectUsedUploads = statement<{ upload: string }>(
  'settlement_runs_used_uploads',
  `SELECT params ->> 'upload' AS upload FROM settlement_runs
    WHERE kind IN ('answers', 'check_file')
      AND (state IN ('queued', 'running') OR state = 'succeeded' AND params ->> 'isDryRun' = 'true')`
)

const selectRegisters = statement<{ id: number; sha256: string }, { id: number[] }>(
  'settlement_registers_kept',
  `SELECT id, sha256 FROM partner_registers WHERE state <> 'dropped' AND id = ANY (:id::int[])`
)

/** Files younger than this are left alone: their run or register may be just being stored. */
const YOUNG_MS = HOUR_MS

/** Deletes files of expired runs, old uploads, and what failed attempts left behind. */
export default async function pruneRuns(): Promise<void> {
  // Files of the gap are unknown to a restored database, and evidence of what it lacks.
  if (await isRestoreOpen()) return
  await expire({})
  await pruneDirectories()
  await pruneUploads()
  await pruneRegisters()
}

/** Uploads are kept as long as the files of a run; longer while a run may still read them. */
async function pruneUploads() {
  const used = await selectUsedUploads({})
  const names = new Set(used.map(({ upload }) => upload))
  const keptMs = platform.runRetentionDays * DAY_MS
  return pruneFiles(await storageDirectory('uploads'), keptMs, (name) => !names.has(name))
}

/** Files of dropped registers, and of uploads that were never stored as a register. */
async function pruneRegisters() {
  const root = await storageDirectory('registers')
  const found = await readdir(root)
  const ids = found.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger)
  const kept = await selectRegisters({ id: [...new Set(ids)] })
  const names = new Set(kept.map(({ id, sha256 }) => `${id}-${sha256}`))
  return pruneFiles(root, YOUNG_MS, (name) => !names.has(name))
}

async function pruneFiles(root: string, keptMs: number, isPrunable: (name: string) => boolean) {
  for (const name of await readdir(root)) {
    if (!isPrunable(name) || (await isYounger(join(root, name), keptMs))) continue
    await rm(join(root, name), { force: true })
  }
}

async function pruneDirectories() {
  const root = await storageDirectory('runs')
  const found = await readdir(root)
  const ids = found.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger)
  const kept = await selectKept({ id: [...new Set(ids)] })
  const names = new Set(kept.map(({ id, claim }) => `${id}-${claim}`))
  for (const name of found) {
    if (names.has(name) || (await isYounger(join(root, name), YOUNG_MS))) continue
    await rm(join(root, name), { recursive: true, force: true })
  }
}

/** True also for a file that is gone by now: somebody else handles it. */
async function isYounger(path: string, ms: number) {
  const found = await stat(path).catch(() => null)
  return found === null || Date.now() - found.mtimeMs < ms
}
