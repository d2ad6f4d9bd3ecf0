import platform from '#config/platform'
import { assertUnderPublicLimit } from '#partner_api/middleware/limits'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

let rendered: Promise<string> | undefined

/** The description that partners read is the file that we write, with this deployment's address in it. */
export async function renderOpenapi(): Promise<string> {
  const yaml = await readFile(app.makePath('docs/api/openapi.yaml'), 'utf8')
  const document = parse(yaml, { merge: true, maxAliasCount: -1 }) as Record<string, unknown>
  return JSON.stringify({ ...document, servers: [{ url: `${platform.appUrl}/api/v1/partners` }] })
}

export default class OpenapiDocumentsController {
  async show(ctx: HttpContext) {
    await assertUnderPublicLimit(ctx)
    rendered ??= renderOpenapi()
    ctx.response.header('Content-Type', 'application/json; charset=utf-8')
    ctx.response.header('Access-Control-Allow-Origin', '*')
    return ctx.response.send(await rendered)
  }
}
