import { readableCode } from '#staff/readable_code'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createHash } from 'node:crypto'

const CODES = 10
const LENGTH = 16

const removeCodes = statement<object, { staffId: number }>(
  'staff_recovery_codes_remove',
  'DELETE FROM staff_recovery_codes WHERE staff_id = :staffId'
)
const insertCodes = statement<object, { staffId: number; digest: string[] }>(
  'staff_recovery_codes_insert',
  'INSERT INTO staff_recovery_codes (staff_id, digest) SELECT :staffId, unnest(:digest::text[])'
)

/** 79 random bits each, so a plain digest is enough to store. */
const newCode = () => readableCode(LENGTH)

/** The digest of a typed code; dashes, spaces and capitals are fine. */
export const digestOfCode = (typed: string) =>
  createHash('sha256').update(typed.toLowerCase().replace(/[\s-]/g, '')).digest('hex')

/** Replaces all recovery codes; returns the new ones, which are shown only once. */
export async function replaceRecoveryCodes(
  staffId: number,
  trx: TransactionClientContract
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await removeCodes({ staffId }, trx)
  await insertCodes({ staffId, digest: codes.map(digestOfCode) }, trx)
  return codes.map((code) => code.match(/.{4}/g)!.join('-'))
}

export const removeRecoveryCodes = (staffId: number, trx: TransactionClientContract) =>
  removeCodes({ staffId }, trx)
