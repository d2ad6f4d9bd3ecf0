import { defineConfig } from '@adonisjs/inertia'

export default defineConfig({
  rootView: 'inertia_layout',
  // Encrypted, so that the browser's "back" shows no page after sign-out.
  encryptHistory: true,
})
