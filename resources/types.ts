import type { Language } from '~/texts/texts'

export interface Person {
  name: string
  email: string
  role: string
}

/** What every page of the back office gets (`app/staff_area/middleware/pages_middleware.ts`). */
export interface SharedPageProps {
  language: Language
  signedIn: Person | null
  abilities: string[]
  done: { id: string; key: string; values?: Record<string, string | number> } | null
}

declare module '@inertiajs/core' {
  export interface InertiaConfig {
    sharedPageProps: SharedPageProps
  }
}
