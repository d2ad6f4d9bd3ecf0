import { configApp } from '@adonisjs/eslint-config'
import { vue } from '@adonisjs/eslint-config/vue'

export default configApp(...vue, {
  ignores: [
    '.adonisjs/**',
    'build/**',
    'tmp/**',
    'public/**',
    'database/schema.ts',
    'docs/api/examples/**',
  ],
})
