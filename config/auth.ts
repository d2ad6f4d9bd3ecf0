import { configProvider } from '@adonisjs/core'
import { defineConfig } from '@adonisjs/auth'
import { sessionGuard } from '@adonisjs/auth/session'
import type { Authenticators, InferAuthEvents, InferAuthenticators } from '@adonisjs/auth/types'

const authConfig = defineConfig({
  default: 'staff',
  guards: {
    staff: sessionGuard({
      useRememberMeTokens: false,
      provider: configProvider.create(async () => {
        const { StaffProvider } = await import('#staff_area/staff_provider')
        return new StaffProvider()
      }),
    }),
  },
})

export default authConfig

declare module '@adonisjs/auth/types' {
  export interface Authenticators extends InferAuthenticators<typeof authConfig> {}
}
declare module '@adonisjs/core/types' {
  interface EventsList extends InferAuthEvents<Authenticators> {}
}
