const OWNER_COMMANDS = /^(migration:|schema:|db:(wipe|truncate)$|database:roles$)/

let isRunning = false

/** Commands that change tables or roles: the owner of the tables runs them (OWNER_DATABASE_URL). */
export const isOwnerCommand = (name: string) => OWNER_COMMANDS.test(name)

/** Said before the application boots, which configures its connections. */
export function noteCommand(name: string) {
  isRunning ||= isOwnerCommand(name)
}

export const runsOwnerCommand = () => isRunning
