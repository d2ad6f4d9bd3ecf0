import { defineConfig } from '@adonisjs/inertia'

export default defineConfig({
  rootView: 'inertia_layout',
  // After sign-out the browser's "back" must not show what was there.
  encryptHistory: true,
})
