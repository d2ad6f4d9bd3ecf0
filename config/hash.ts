import { defineConfig, drivers } from '@adonisjs/core/hash'
import env from '#start/env'

/**
 * One of the equivalent choices of OWASP's Password Storage Cheat Sheet: 32 MiB three times over. Those with fewer passes take up
 * to 128 MiB for each sign-in at the same time.
 */
export const OWASP_COST = { cost: 2 ** 15, blockSize: 8, parallelization: 3 }

/** Tests sign in thousands of times. */
const TEST_COST = { cost: 2 ** 12, blockSize: 8, parallelization: 1 }

export default defineConfig({
  default: 'scrypt',
  list: {
    scrypt: drivers.scrypt({
      ...(env.get('NODE_ENV') === 'test' ? TEST_COST : OWASP_COST),
      // A bound, with room for hashes of another cost.
      maxMemory: 64 * 1024 * 1024,
    }),
  },
})
