import { ListLoader } from '@adonisjs/core/ace'
import MigrationRun from '#console/migration_run'

/** Commands of ours in place of Lucid's of the same name. */
const loader = new ListLoader([MigrationRun])

export const getMetaData = () => loader.getMetaData()
export const getCommand = (...command: Parameters<typeof loader.getCommand>) =>
  loader.getCommand(...command)
