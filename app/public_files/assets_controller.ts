import { answerAs } from '#http/answer_policy'
import { encodingFor } from '#http/send_compressed'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname } from 'node:path'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const SUFFIXES = { br: '.br', gzip: '.gz' } as const

let built: Promise<Set<string>> | undefined

/** Files built by Vite: the name contains a digest, and compressed copies are in the same folder. */
export default class AssetsController {
  async show(ctx: HttpContext) {
    const { params, response } = ctx
    const directory = app.publicPath('assets')
    built ??= readdir(directory).then(
      (files) => new Set(files),
      () => new Set()
    )
    const files = await built
    const file = String(params.file)
    const type = TYPES[extname(file)]
    if (!type || !files.has(file)) return response.status(404).send('No such file')

    const encoding = encodingFor(ctx)
    const suffix = encoding && files.has(file + SUFFIXES[encoding]) ? SUFFIXES[encoding] : ''
    if (suffix) response.header('Content-Encoding', encoding!)
    response.header('Content-Type', type)
    answerAs('asset', response.response)
    return response.stream(createReadStream(`${directory}/${file}${suffix}`))
  }
}
