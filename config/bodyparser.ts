import { defineConfig } from '@adonisjs/core/bodyparser'

/** Used by the back office only: the partner API reads raw bytes. Files are read only on the routes of forms with files. */
export default defineConfig({
  allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  form: { convertEmptyStringsToNull: true, types: ['application/x-www-form-urlencoded'] },
  json: { convertEmptyStringsToNull: true, types: ['application/json'] },
  multipart: { autoProcess: false, maxFields: 1000, limit: '20mb', types: ['multipart/form-data'] },
})
