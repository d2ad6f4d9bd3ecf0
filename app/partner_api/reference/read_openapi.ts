import platform from '#config/platform'
import type { OpenapiDocument } from '#partner_api/reference/document'
import app from '@adonisjs/core/services/app'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

/** docs/api/openapi.yaml with the URL of this deployment. */
export async function readOpenapi(): Promise<OpenapiDocument> {
  const yaml = await readFile(app.makePath('docs/api/openapi.yaml'), 'utf8')
  const document = parse(yaml, { merge: true, maxAliasCount: -1 }) as OpenapiDocument
  return { ...document, servers: [{ url: `${platform.appUrl}/api/v1/partners` }] }
}
