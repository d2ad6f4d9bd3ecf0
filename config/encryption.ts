import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#start/env'

const current = env.get('APP_KEY')
const former = env.get('APP_PREVIOUS_KEYS') ?? []

export default defineConfig({
  default: 'gcm',
  list: {
    // The first key encrypts; all of them open.
    gcm: drivers.aes256gcm({ id: 'gcm', keys: [current, ...former] }),
    // What this can't open is still encrypted with a former key.
    current: drivers.aes256gcm({ id: 'gcm', keys: [current] }),
  },
})
