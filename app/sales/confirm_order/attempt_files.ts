import type { LateAttempt } from '#sales/confirm_order/late_attempt'
import { storageDirectory } from '#shared/storage'
import { writeWhole } from '#shared/whole_file'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Files of failed confirms that a process could not record before it stopped: a line of JSON for each, with the values that
 * `confirm_attempts` has and no others.
 *
 *     storage/confirms/1795562398123-….jsonl
 *     {"partnerId":7,"orderIdSent":"TIX-2026-000001",…,"arrivedAt":1795562391004,"answer":{"status":503,"code":"SERVICE_BUSY"}}
 */
const SUFFIX = '.jsonl'

type Line = Omit<LateAttempt['row'], 'elapsedMs' | 'amountTenge' | 'paidAt'> & {
  /** By the clock of the machine, in ms: no process knows the monotonic clock of another. */
  arrivedAt: number
  amountTenge: string | null
  paidAt: string | null
  answer: LateAttempt['answer']
  attempt: { id: string; receivedAt: string } | null
}

function toLine({ row, answer, attempt }: LateAttempt): string {
  const { elapsedMs, amountTenge, paidAt, ...texts } = row
  const line: Line = {
    ...texts,
    arrivedAt: Date.now() - elapsedMs(),
    amountTenge: amountTenge?.toString() ?? null,
    paidAt: paidAt?.toISOString() ?? null,
    answer,
    attempt: attempt ? { id: attempt.attemptId.toString(), receivedAt: attempt.receivedAt } : null,
  }
  return `${JSON.stringify(line)}\n`
}

function fromLine(text: string): LateAttempt {
  const { arrivedAt, amountTenge, paidAt, answer, attempt, ...texts } = JSON.parse(text) as Line
  return {
    row: {
      ...texts,
      elapsedMs: () => Date.now() - arrivedAt,
      amountTenge: amountTenge === null ? null : BigInt(amountTenge),
      paidAt: paidAt === null ? null : new Date(paidAt),
    },
    answer,
    attempt: attempt
      ? { attemptId: BigInt(attempt.id), receivedAt: attempt.receivedAt }
      : undefined,
  }
}

const directory = () => storageDirectory('confirms')

/** Returns the path. A file is whole or not there, and only ours to read. */
export async function saveAttempts(attempts: LateAttempt[], path?: string): Promise<string> {
  const target = path ?? join(await directory(), `${Date.now()}-${randomUUID()}${SUFFIX}`)
  await writeWhole(target, attempts.map(toLine).join(''))
  return target
}

/** The paths of all files, the oldest first. */
export async function listAttemptFiles(): Promise<string[]> {
  const root = await directory()
  const names = await readdir(root)
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => join(root, name))
}

export async function readAttempts(path: string): Promise<LateAttempt[]> {
  const text = await readFile(path, 'utf8')
  return text.split('\n').filter(Boolean).map(fromLine)
}

/** Leaves those that are still to be recorded; without any the file is removed. */
export const replaceAttempts = (path: string, left: LateAttempt[]) =>
  left.length === 0 ? rm(path, { force: true }) : saveAttempts(left, path)
