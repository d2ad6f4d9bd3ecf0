import { defineConfig } from '@adonisjs/core/bodyparser'

/** The back office alone parses bodies this way; the partner door reads raw bytes. Files are read only where a form asks for them. */
export default defineConfig({
  allowedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  form: { convertEmptyStringsToNull: true, types: ['application/x-www-form-urlencoded'] },
  json: { convertEmptyStringsToNull: true, types: ['application/json'] },
  multipart: { autoProcess: false, maxFields: 1000, limit: '20mb', types: ['multipart/form-data'] },
})
