import {
  sourceChoiceValidator,
  sourceValidator,
  wordsValidator,
} from '#finance/registers/register_validators'
import { askerOf, askForWork } from '#finance/registers/register_work'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import ChangeRegisterSource from '#reconciliation/actions/change_register_source'
import SetRegisterSource from '#reconciliation/actions/set_register_source'
import { findRegister } from '#reconciliation/store/find_register'
import type { WordMeaning } from '#register_reading/read_kind'
import type { HttpContext } from '@adonisjs/core/http'

export default class RegisterSourcesController {
  /** Gives a register to another source, as which it is read again. */
  async choose(ctx: HttpContext) {
    const given = await ctx.request.validateUsing(sourceChoiceValidator)
    const { version, sourceId, sourceName } = given
    const registerId = idOf(ctx, 'register')
    const { isUnread } = await new SetRegisterSource().handle({
      registerId,
      version,
      sourceId: sourceId ?? undefined,
      sourceName: sourceName ?? undefined,
      actor: ctx.actor,
    })
    if (!isUnread) return redirectWithNotice(ctx, 'registers.source_changed')
    await askForWork(ctx, 'read_register', await findRegister(registerId))
    const path = `/back-office/registers/${registerId}`
    return redirectWithNotice(ctx, 'registers.source_reading', {}, path)
  }

  /** Changes the set-up of a register's source, and reads the register again where that changes its rows. */
  async setUp(ctx: HttpContext) {
    const { words, ...given } = await ctx.request.validateUsing(sourceValidator)
    const registerId = idOf(ctx, 'register')
    const { version, sourceId } = await findRegister(registerId)
    const check = await new ChangeRegisterSource().handle({
      sourceId,
      ...given,
      words: meaningsOf(words),
      ...askerOf(ctx),
    })
    const register = await findRegister(registerId)
    const isUnread = register.state === 'mapped' && register.version !== version
    const saved = check ? 'registers.source_judged_again' : 'registers.source_saved'
    if (!isUnread) return redirectWithNotice(ctx, saved)
    await askForWork(ctx, 'read_register', register)
    return redirectWithNotice(ctx, 'registers.setup_reading')
  }

  /** Remembers what words of the register mean to its source, and reads the register again. */
  async learn(ctx: HttpContext) {
    const { version, words } = await ctx.request.validateUsing(wordsValidator)
    const registerId = idOf(ctx, 'register')
    const { sourceId } = await findRegister(registerId)
    await new ChangeRegisterSource().handle({
      sourceId,
      version,
      words: meaningsOf(words),
      ...askerOf(ctx),
    })
    await askForWork(ctx, 'read_register', await findRegister(registerId))
    return redirectWithNotice(ctx, 'registers.words_saved')
  }
}

const meaningsOf = (words: readonly { word: string; meaning: WordMeaning }[] = []) =>
  Object.fromEntries(words.map(({ word, meaning }) => [word.toLowerCase(), meaning]))
