const UNDO =
  'To take back a release, start the former one on the same database; to take back a change of the schema, release another migration; to go back in time, restore a backup into a new cluster (docs/production.md)'
const START_EMPTY =
  'For an empty database create a new one, name it in DATABASE_URL and run migration:run there'
const SANDBOX = 'Seed a sandbox of its own: another database with DEPLOYMENT=sandbox'

/** Commands that would destroy sales, money and the journal of a live deployment, and what to do instead. */
export const REFUSED_ON_LIVE: Record<string, string> = {
  'migration:rollback': UNDO,
  'migration:reset': UNDO,
  'migration:refresh': START_EMPTY,
  'migration:fresh': START_EMPTY,
  'db:wipe': START_EMPTY,
  'db:truncate': START_EMPTY,
  'db:seed': SANDBOX,
  'sandbox:seed': SANDBOX,
}

const BY_SETTING = 'on a live deployment (DEPLOYMENT=live)'
const BY_DATABASE =
  'on the database of a live deployment, which has keys of live partners (pk_live_…), whatever DEPLOYMENT says'

/** A refused command: the console prints its message without a stack, and ends with code 1. */
export class RefusedOnLive extends Error {
  constructor(command: string, where: string) {
    super(`${command} is refused ${where}, also with --force. ${REFUSED_ON_LIVE[command]}.`)
  }

  render(error: Error) {
    process.stderr.write(`${error.message}\n`)
  }
}

/** Throws for a command that a live deployment refuses: the setting may be wrong for the database, so that is asked too. */
export async function assertAllowed(command: string) {
  if (!Object.hasOwn(REFUSED_ON_LIVE, command)) return
  const { default: env } = await import('#start/env')
  if (env.get('DEPLOYMENT') === 'live') throw new RefusedOnLive(command, BY_SETTING)

  const { isLiveDatabase } = await import('#console/live_database')
  const addresses = [env.get('DATABASE_URL'), env.get('OWNER_DATABASE_URL')]
  for (const address of addresses)
    if (address && (await isLiveDatabase(address))) throw new RefusedOnLive(command, BY_DATABASE)
}
