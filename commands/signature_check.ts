import { sign } from '#shared/signature'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import { readFile } from 'node:fs/promises'

interface Vector {
  name: string
  timestamp: string
  method: string
  uri: string
  body: string
  signature: string
}

export default class SignatureCheck extends BaseCommand {
  static commandName = 'signature:check'
  static description = 'Reproduce the published check vector, or sign your own request'

  @flags.string({ description: 'Sign with this secret instead of the vector' })
  declare secret?: string
  @flags.string({ description: 'Unix seconds' })
  declare timestamp?: string
  @flags.string({ description: 'GET or POST', default: 'GET' })
  declare method: string
  @flags.string({ description: 'Full path with query' })
  declare uri?: string
  @flags.string({ description: 'Body, byte for byte' })
  declare body?: string

  async run() {
    if (this.secret) return this.#signOwn(this.secret)
    const file = this.app.makePath('docs/api/check_vector.json')
    const { secret, vectors } = JSON.parse(await readFile(file, 'utf8')) as {
      secret: string
      vectors: Vector[]
    }
    for (const vector of vectors) {
      const signature = sign(secret, vector)
      const isSame = signature === vector.signature
      if (!isSame) this.exitCode = 1
      this.logger.log(
        `${vector.name} ${signature} ${isSame ? 'matches' : `differs from ${vector.signature}`}`
      )
    }
  }

  #signOwn(secret: string) {
    const timestamp = this.timestamp ?? String(Math.floor(Date.now() / 1000))
    const parts = { timestamp, method: this.method, uri: this.uri ?? '', body: this.body ?? '' }
    this.logger.log(`X-Timestamp: ${timestamp}\nX-Signature: ${sign(secret, parts)}`)
  }
}
