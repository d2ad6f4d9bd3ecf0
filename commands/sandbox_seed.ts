import platform from '#config/platform'
import type { Sandbox } from '#database/seeders/sandbox/main'
import { CoreCommand } from '#console/core_command'
import { flags } from '@adonisjs/core/ace'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export default class SandboxSeed extends CoreCommand {
  static commandName = 'sandbox:seed'
  static description =
    'Fill the sandbox with halls, events, partners and staff; writes tmp/sandbox.json'

  @flags.string({ description: 'Write the credentials to this file instead of tmp/sandbox.json' })
  declare file?: string

  protected async perform() {
    const { seedSandbox } = await import('#database/seeders/sandbox/main')
    const file = this.file ?? this.app.makePath('tmp/sandbox.json')
    const sandbox = await seedSandbox(`${platform.appUrl}/api/v1/partners`, await readKnown(file))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
    this.logger.success(
      `${sandbox.partners.length} partners and ${sandbox.events.length} events in ${file}`
    )
  }
}

const readKnown = async (file: string): Promise<Partial<Sandbox>> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Sandbox,
    () => ({})
  )
