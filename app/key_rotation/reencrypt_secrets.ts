import {
  CANARY_COLUMN,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
} from '#key_rotation/encrypted_columns'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import encryption from '@adonisjs/core/services/encryption'

const BATCH = 200

/** Made at once, so that a test knows them with all other statements. */
const STATEMENTS = new Map(
  [...ENCRYPTED_COLUMNS, CANARY_COLUMN].map((each) => [each, statementsOf(each)])
)

export interface ColumnProgress {
  table: string
  rows: number
  reencrypted: number
  /** Keys of rows that none of the keys opens. */
  unreadable: string[]
}

export interface ReencryptInput {
  /** Whether the former keys may go although rows open with none of the keys. */
  leavesUnreadable: boolean
  actor: Actor
  /** After each batch. */
  onProgress?: (progress: ColumnProgress) => void
}

interface SealedRow {
  key: string
  sealed: string
}

/** Encrypts everything that APP_KEY protects with the present key. */
export default class ReencryptSecrets {
  /**
   * Safe to repeat and to break off: each value changes by itself, and one that the present key opens is left alone. While rows are
   * unreadable, a former key may be missing: the canary stays with its old key, so that no process starts without that.
   */
  async handle({ leavesUnreadable, actor, onProgress }: ReencryptInput) {
    const columns: ColumnProgress[] = []
    for (const column of ENCRYPTED_COLUMNS) columns.push(await reencrypt(column, onProgress))
    const isComplete = columns.every(({ unreadable }) => unreadable.length === 0)
    if (isComplete || leavesUnreadable) columns.push(await reencrypt(CANARY_COLUMN, onProgress))
    const reencrypted = sum(columns.map((column) => column.reencrypted))
    const unreadable = sum(columns.map((column) => column.unreadable.length))
    if (reencrypted > 0) {
      await transaction((trx) =>
        record('secrets_reencrypted', { reencrypted, unreadable }, { actor }, trx)
      )
    }
    return { columns, isComplete }
  }
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

async function reencrypt(
  encrypted: EncryptedColumn,
  onProgress?: (progress: ColumnProgress) => void
): Promise<ColumnProgress> {
  const { selectBatch, replaceSealed } = STATEMENTS.get(encrypted)!
  const progress: ColumnProgress = {
    table: encrypted.table,
    rows: 0,
    reencrypted: 0,
    unreadable: [],
  }
  let after = ''
  for (;;) {
    const rows = await selectBatch({ after, limit: BATCH })
    if (rows.length === 0) return progress
    for (const { key, sealed } of rows) {
      const purpose = encrypted.purposeOf(key)
      if (encryption.use('current').decrypt(sealed, purpose) !== null) continue
      const value = encryption.decrypt<string>(sealed, purpose)
      if (value === null) {
        progress.unreadable.push(key)
        continue
      }
      // Somebody may have set another one meanwhile, with the present key.
      const renewed = encryption.encrypt(value, { purpose })
      const { length } = await replaceSealed({ key, sealed, renewed })
      progress.reencrypted += length
    }
    progress.rows += rows.length
    after = rows.at(-1)!.key
    onProgress?.(progress)
  }
}

function statementsOf({ table, key, column }: EncryptedColumn) {
  return {
    selectBatch: statement<SealedRow, { after: string; limit: number }>(
      `reencrypt_read_${table}`,
      `SELECT ${key}::text AS key, ${column} AS sealed FROM ${table}
        WHERE ${column} IS NOT NULL AND ${key}::text COLLATE "C" > :after ORDER BY ${key}::text COLLATE "C" LIMIT :limit`
    ),
    replaceSealed: statement<object, { key: string; sealed: string; renewed: string }>(
      `reencrypt_replace_${table}`,
      `UPDATE ${table} SET ${column} = :renewed WHERE ${key}::text = :key AND ${column} = :sealed RETURNING 1`
    ),
  }
}
