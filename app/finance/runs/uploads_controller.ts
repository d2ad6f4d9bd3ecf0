import { findRun } from '#finance/runs/read_run'
import { redirectToRun } from '#finance/redirect_to_run'
import { idOf } from '#staff_area/id_of'
import { languageOf } from '#staff_area/language_of'
import { receiveFile } from '#staff_area/upload'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import type { RunParams } from '#runs/run_params'
import { MAX_UPLOAD_BYTES, newUpload, type Upload } from '#runs/uploads'
import { refuse } from '#shared/refusals'
import { storable } from '#shared/storable'
import type { HttpContext } from '@adonisjs/core/http'

const LONGEST_NAME = 200

export default class UploadsController {
  /** Asks for a run that compares a workbook with what we would write now. */
  async check(ctx: HttpContext) {
    const params = await receive(ctx)
    const run = await new AskForRun().handle({
      kind: 'check_file',
      partnerCode: null,
      params,
      language: languageOf(ctx),
      actor: ctx.actor,
    })
    return redirectToRun(ctx, run)
  }

  /** Asks for a run that reads a partner's answers; nothing is applied yet. */
  async answers(ctx: HttpContext) {
    const upload = await receive(ctx)
    return this.#askForAnswers(ctx, {
      ...upload,
      partnerCode: String(ctx.params.code),
      isDryRun: true,
    })
  }

  /** Applies the answers that an earlier run has read. */
  async take(ctx: HttpContext) {
    const { kind, state, params } = await findRun(idOf(ctx, 'run'))
    if (kind !== 'answers' || state !== 'succeeded' || !params.isDryRun)
      refuse('NO_SUCH', { what: 'answers to be taken' })
    return this.#askForAnswers(ctx, {
      ...(params as unknown as RunParams['answers']),
      isDryRun: false,
    })
  }

  async #askForAnswers(ctx: HttpContext, params: RunParams['answers']) {
    const run = await new AskForRun().handle({
      kind: 'answers',
      partnerCode: params.partnerCode,
      params,
      language: languageOf(ctx),
      actor: ctx.actor,
    })
    return redirectToRun(ctx, run)
  }
}

async function receive(ctx: HttpContext): Promise<Upload> {
  const { upload, path } = await newUpload()
  const { name } = await receiveFile(ctx, 'file', MAX_UPLOAD_BYTES, () => Promise.resolve(path))
  return { upload, fileName: storable(name.slice(0, LONGEST_NAME)) }
}
