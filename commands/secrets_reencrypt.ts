import { CoreCommand } from '#console/core_command'
import ReencryptSecrets, { type ColumnProgress } from '#key_rotation/reencrypt_secrets'
import { flags } from '@adonisjs/core/ace'

const MOST_SHOWN = 20

export default class SecretsReencrypt extends CoreCommand {
  static commandName = 'secrets:reencrypt'
  static description =
    'Encrypt everything that APP_KEY protects with the present key, so that APP_PREVIOUS_KEYS can go; safe to repeat'

  @flags.boolean({
    description: 'Let the former keys go although rows open with none of the keys',
  })
  declare leaveUnreadable?: boolean

  protected async perform() {
    const { columns, isComplete } = await new ReencryptSecrets().handle({
      leavesUnreadable: this.leaveUnreadable ?? false,
      actor: this.actor,
      onProgress: ({ table, rows, reencrypted }) =>
        this.logger.info(`${table}: ${rows} rows read, ${reencrypted} encrypted again`),
    })
    const unreadable = columns.filter((column) => column.unreadable.length > 0)
    for (const column of unreadable) this.#listUnreadable(column)
    if (isComplete || this.leaveUnreadable) {
      this.logger.success('Everything opens with APP_KEY: APP_PREVIOUS_KEYS can go')
      return
    }
    this.logger.error(
      'A former key is missing in APP_PREVIOUS_KEYS, or these rows are damaged: processes still need the former keys. --leave-unreadable gives the rows up'
    )
    this.exitCode = 1
  }

  #listUnreadable({ table, unreadable }: ColumnProgress) {
    const more =
      unreadable.length > MOST_SHOWN ? ` … and ${unreadable.length - MOST_SHOWN} more` : ''
    this.logger.error(
      `${table}: ${unreadable.length} rows open with none of the keys  ${unreadable.slice(0, MOST_SHOWN).join(' ')}${more}`
    )
  }
}
