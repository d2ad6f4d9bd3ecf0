import { SCHEMA_VERSION } from '#database/guard_definitions'
import { GUARDED_VERSION } from '#database/guards'

/** False while a release is rolled out, and after it was rolled back: the database has more migrations than this code knows, or fewer. */
export const IS_OUR_SCHEMA = `${SCHEMA_VERSION} = ${GUARDED_VERSION}`
