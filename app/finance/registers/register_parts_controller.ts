import { quarantine, showRefusedPart } from '#finance/registers/register_uploads'
import {
  leaveOutValidator,
  partValidator,
  sheetsValidator,
  versionValidator,
} from '#finance/registers/register_validators'
import { askForWork } from '#finance/registers/register_work'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { receiveFile } from '#staff_area/upload'
import AddRegisterFile from '#reconciliation/actions/add_register_file'
import AddRegisterSheets from '#reconciliation/actions/add_register_sheets'
import LeaveOutSheets from '#reconciliation/actions/leave_out_sheets'
import RemoveRegisterPart from '#reconciliation/actions/remove_register_part'
import { MAX_REGISTER_BYTES } from '#reconciliation/actions/upload_register'
import { findRegister } from '#reconciliation/store/find_register'
import type { HttpContext } from '@adonisjs/core/http'
import { rm } from 'node:fs/promises'

/** The sheets and files of a register. */
export default class RegisterPartsController {
  async store(ctx: HttpContext) {
    const file = await receiveFile(ctx, 'file', MAX_REGISTER_BYTES, quarantine)
    const registerId = idOf(ctx, 'register')
    try {
      const given = await ctx.request.validateUsing(partValidator)
      const { declaredRows = null, declaredTenge = null, version, rowsAre } = given
      const { isUnread } = await new AddRegisterFile().handle({
        registerId,
        version,
        path: file.path,
        fileName: file.name,
        rowsAre,
        declaredRows,
        declaredTenge: declaredTenge === null ? null : BigInt(declaredTenge),
        actor: ctx.actor,
      })
      return await readAgain(ctx, registerId, isUnread, 'registers.part_added')
    } catch (error) {
      await rm(file.path, { force: true })
      return showRefusedPart(ctx, error, file.name.slice(0, 200))
    }
  }

  async addSheets(ctx: HttpContext) {
    const given = await ctx.request.validateUsing(sheetsValidator)
    const registerId = idOf(ctx, 'register')
    try {
      const change = { registerId, ...given, actor: ctx.actor }
      const { isUnread } = await new AddRegisterSheets().handle(change)
      return await readAgain(ctx, registerId, isUnread, 'registers.part_added')
    } catch (error) {
      return showRefusedPart(ctx, error)
    }
  }

  async leaveOut(ctx: HttpContext) {
    const given = await ctx.request.validateUsing(leaveOutValidator)
    const registerId = idOf(ctx, 'register')
    await new LeaveOutSheets().handle({ registerId, ...given, actor: ctx.actor })
    return redirectWithNotice(ctx, 'registers.sheets_left_out')
  }

  async destroy(ctx: HttpContext) {
    const { version } = await ctx.request.validateUsing(versionValidator)
    const registerId = idOf(ctx, 'register')
    const number = Number(ctx.params.number)
    const change = { registerId, version, number, actor: ctx.actor }
    const { isUnread } = await new RemoveRegisterPart().handle(change)
    return readAgain(ctx, registerId, isUnread, 'registers.part_removed')
  }
}

/** Asks for a run that reads the register with its present parts, unless its columns are not set yet. */
async function readAgain(ctx: HttpContext, registerId: number, isUnread: boolean, notice: string) {
  if (!isUnread) return redirectWithNotice(ctx, notice)
  await askForWork(ctx, 'read_register', await findRegister(registerId))
  return redirectWithNotice(ctx, notice, {}, `/back-office/registers/${registerId}`)
}
