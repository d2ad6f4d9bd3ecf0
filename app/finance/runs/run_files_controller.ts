import { findRunFile, LINK_PURPOSE } from '#finance/runs/read_run'
import { idOf } from '#staff_area/id_of'
import RecordDownload from '#runs/record_download'
import { runDirectory } from '#runs/run_files'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

export default class RunFilesController {
  /** Sends a file of a run; an expired link leads back to the page of the run. */
  async show(ctx: HttpContext) {
    const [runId, name] = [idOf(ctx, 'run'), String(ctx.params.name)]
    if (!ctx.request.hasValidSignature(LINK_PURPOSE))
      return ctx.response.redirect().toPath(`/back-office/runs/${runId}`)
    const { claim, sha256 } = await findRunFile(runId, name)
    const path = join(await runDirectory(runId, claim), name)
    await access(path).catch(() => refuse('NO_SUCH', { what: 'file' }))
    await new RecordDownload().handle({ runId, name, sha256, actor: ctx.actor })
    ctx.response.attachment(path, name)
  }
}
