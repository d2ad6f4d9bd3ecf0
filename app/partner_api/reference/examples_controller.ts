import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const FILES = new Set(readdirSync(app.makePath('docs/api/examples')))

/** The files that the guide links to. */
export default class ExamplesController {
  async checkVector({ response }: HttpContext) {
    response.header('Content-Type', 'application/json; charset=utf-8')
    return response.send(await readFile(app.makePath('docs/api/check_vector.json')))
  }

  async qrCheckVector({ response }: HttpContext) {
    response.header('Content-Type', 'application/json; charset=utf-8')
    return response.send(await readFile(app.makePath('docs/api/qr_check_vector.json')))
  }

  async show({ params, response }: HttpContext) {
    const file = String(params.file)
    if (!FILES.has(file)) return response.status(404).send('No such example')
    response.header('Content-Type', 'text/plain; charset=utf-8')
    return response.send(await readFile(app.makePath('docs/api/examples', file)))
  }
}
