import { SETTINGS } from '#start/settings'
import { Env } from '@adonisjs/core/env'

/** The settings of this process, checked; `#start/settings` has the rule of each. */
export default await Env.create(new URL('../', import.meta.url), SETTINGS)
