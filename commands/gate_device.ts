import CreateGateDevice from '#tickets/actions/create_gate_device'
import { args } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class GateDevice extends CoreCommand {
  static commandName = 'gate:device'
  static description = 'Create a scanner; its key is shown once'

  @args.string({ description: 'Name, e.g. "Gate 1"' })
  declare name: string

  protected async perform() {
    const { key } = await new CreateGateDevice().handle({ name: this.name, actor: this.actor })
    this.logger.log(`gate key ${key} (shown once)`)
  }
}
