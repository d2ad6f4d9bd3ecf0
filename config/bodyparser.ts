import { defineConfig } from '@adonisjs/core/bodyparser'

/** The longest e-mail and password, however they are encoded. */
const SMALL_LIMIT = '8kb'

/** Used by the back office only: the partner API reads raw bytes. Files are read only on the routes of forms with files. */
const bodies = defineConfig({
  allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  form: { convertEmptyStringsToNull: true, types: ['application/x-www-form-urlencoded'] },
  json: { convertEmptyStringsToNull: true, types: ['application/json'] },
  multipart: { autoProcess: false, maxFields: 1000, limit: '20mb', types: ['multipart/form-data'] },
})

export default bodies

/** For routes without sign-in: what is refused there is kept in the session, in Redis, for eight hours. */
export const smallBodies = {
  ...bodies,
  form: { ...bodies.form, limit: SMALL_LIMIT },
  json: { ...bodies.json, limit: SMALL_LIMIT },
  raw: { ...bodies.raw, limit: SMALL_LIMIT },
}
