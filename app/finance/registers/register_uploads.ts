import type { RefusedPart } from '#finance/registers/registers_props'
import { Refusal } from '#shared/refusals'
import { storageDirectory } from '#shared/storage'
import type { HttpContext } from '@adonisjs/core/http'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

/** An upload stays here until it is accepted. */
export const quarantine = async () =>
  join(await storageDirectory('registers'), `incoming-${randomUUID()}`)

const OF_PARTS: readonly string[] = [
  'PART_COLUMNS_DIFFER',
  'PART_TWICE',
  'REGISTER_FILE_TAKEN',
  'REGISTER_UNREADABLE',
] satisfies RefusedPart['code'][]

/**
 * Goes back and shows which sheet or file was refused, and why: the error of a form has no room for it. `file` is the one that a
 * person has sent; the refusal may name the file that was there before.
 */
export function showRefusedPart(ctx: HttpContext, error: unknown, file?: string) {
  if (!(error instanceof Refusal) || !OF_PARTS.includes(error.refusalCode)) throw error
  const shown = file ?? error.details.file ?? ''
  ctx.session.flash('refusedPart', { ...error.details, file: shown, code: error.refusalCode })
  return ctx.response.redirect().withQs().back()
}

export const refusedPartOf = ({ session }: HttpContext) =>
  (session.flashMessages.get('refusedPart') as RefusedPart | undefined) ?? null
