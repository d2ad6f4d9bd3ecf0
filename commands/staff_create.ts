import { CoreCommand } from '#console/core_command'
import { refuseField } from '#shared/refusals'
import CreateStaff from '#staff/actions/create_staff'
import { ROLES, type Role } from '#staff/role'
import { args, flags } from '@adonisjs/core/ace'

export default class StaffCreate extends CoreCommand {
  static commandName = 'staff:create'
  static description = 'Create a person of the back office; the temporary password is shown once'

  @args.string({ description: 'E-mail' })
  declare email: string

  @flags.string({ description: 'Name', required: true })
  declare name: string

  @flags.string({ description: ROLES.join(', '), required: true })
  declare role: string

  protected async perform() {
    if (!ROLES.includes(this.role as Role))
      refuseField('role', 'enum', `must be one of ${ROLES.join(', ')}`)
    if (!/^\S+@\S+\.\S+$/.test(this.email)) refuseField('email', 'email', 'is not an e-mail')
    const { email, name, actor } = this
    const role = this.role as Role
    const { password } = await new CreateStaff().handle({ email, name, role, actor })
    this.logger.success(`${email} is ${role}`)
    this.logger.log(`temporary password ${password} (shown once)`)
  }
}
